// Checks of a page, each a function that returns a list of faults. `support/page_checks.py` takes them apart at lines like the next.
// = colours: what the checks of contrast share
const canvas=document.createElement('canvas').getContext('2d',{willReadFrequently:true});
const seen=new Map();
const rgba=text=>{if(!seen.has(text)){canvas.clearRect(0,0,1,1);canvas.fillStyle='#000';canvas.fillStyle=text;
  canvas.fillRect(0,0,1,1);const d=canvas.getImageData(0,0,1,1).data;
  seen.set(text,[d[0],d[1],d[2],d[3]/255]);}return seen.get(text);};
const over=(top,under,by=1)=>{const a=top[3]*by;return [0,1,2].map(i=>top[i]*a+under[i]*(1-a)).concat(1);};
const light=c=>{const [r,g,b]=c.slice(0,3).map(v=>{v/=255;return v<=.03928?v/12.92:((v+.055)/1.055)**2.4;});
  return .2126*r+.7152*g+.0722*b;};
const ratio=(a,b)=>{const [x,y]=[light(a),light(b)].sort((p,q)=>q-p);return (x+.05)/(y+.05);};
const above=document.querySelector('dialog[open]')??document.body;
const shown=e=>above.contains(e)&&e.checkVisibility({visibilityProperty:true});
const opacity=e=>{let o=1;for(let n=e;n&&n.nodeType===1;n=n.parentElement)o*=+getComputedStyle(n).opacity;return o;};
const ground=e=>{const all=[];for(let n=e;n;n=n.parentElement)all.push(rgba(getComputedStyle(n).backgroundColor));
  let c=rgba(getComputedStyle(document.documentElement).getPropertyValue('--kl-page').trim());
  for(const layer of all.reverse())c=over(layer,c);return c;};
// = texts
const wrong=[];let looked=0;
const say=(text,a,b,least)=>{looked++;const r=ratio(a,b);
  if(r<least)wrong.push([text.trim().slice(0,40),a.map(Math.round)+'',b.map(Math.round)+'',r.toFixed(2)]);};
const walk=document.createTreeWalker(document.body,NodeFilter.SHOW_TEXT);
for(let t=walk.nextNode();t;t=walk.nextNode()){
  const e=t.parentElement;
  if(!t.data.trim()||!shown(e)||e.closest('svg,[hidden],option')||e.closest(':disabled'))continue;
  const s=getComputedStyle(e),size=parseFloat(s.fontSize),large=size>=24||(size>=18.66&&+s.fontWeight>=700),g=ground(e);
  say(t.data,over(rgba(s.color),g,opacity(e)),g,large?3:4.5);
}
for(const e of document.querySelectorAll('input,textarea,select')){
  if(!shown(e)||e.disabled||e.type==='file')continue;
  const g=ground(e);
  say(e.value||'a value',over(rgba(getComputedStyle(e).color),g,opacity(e)),g,4.5);
  if(e.placeholder)say(e.placeholder,over(rgba(getComputedStyle(e,'::placeholder').color),g,opacity(e)),g,4.5);
}
// texts of the picture: on what is painted below them, from the back to the front
const svg=above===document.body?document.querySelector('#board svg:not(.over)'):null;
for(const e of svg?svg.querySelectorAll('text'):[]){
  const box=e.getBoundingClientRect(),x=box.x+box.width/2,y=box.y+box.height/2;
  let under=null;
  for(const below of document.elementsFromPoint(x,y)){
    if(below.tagName==='text'||below.closest('svg.over'))continue;
    if(!svg.contains(below))break; // what lies in front of the picture (also another one), or out of its view, is skipped
    if(below===svg){under=ground(below);break;}
    const fill=getComputedStyle(below).fill;
    if(fill&&fill!=='none'){under=rgba(fill);break;}
  }
  if(under)say(e.textContent,rgba(getComputedStyle(e).fill),under,4.5);
}
return {wrong,looked};
// = marks
const wrong=[];let looked=0;
const name=n=>rgba(getComputedStyle(document.documentElement).getPropertyValue('--kl-'+n).trim());
const say=(what,a,b)=>{looked++;const r=ratio(a,b);if(r<3)wrong.push([what,r.toFixed(2)]);};
for(const e of document.querySelectorAll('button,input:not([type=file]),select,textarea')){
  if(!shown(e)||e.disabled)continue;
  const s=getComputedStyle(e);
  if(parseFloat(s.borderTopWidth)&&s.borderTopStyle!=='none')
    say('border of '+(e.id||e.textContent.slice(0,20)),rgba(s.borderTopColor),ground(e.parentElement));
}
for(const other of ['page','cell','cell2','ground'])
  for(const mark of ['mark','ink','line'])say(mark+' on '+other,name(mark),name(other));
for(const e of document.querySelectorAll('#board svg.over [stroke="var(--kl-mark)"]')){
  const before=e.previousElementSibling;
  say('mark on the board',rgba(getComputedStyle(e).stroke),rgba(getComputedStyle(before??e).stroke));
  if(!before||before.getAttribute('stroke')==='var(--kl-mark)')wrong.push(['a mark that is not cased','']);
}
for(const e of document.querySelectorAll('#board svg:not(.over) path[stroke],#board svg:not(.over) rect[stroke]')){
  const s=getComputedStyle(e);
  if(s.fill==='none'||s.stroke==='none')continue;
  looked++;
  const [inner,rim]=[rgba(s.fill),rgba(s.stroke)];
  if(rim+''===name('page')+'')continue;  // the casing of a mark
  const r=Math.max(ratio(inner,rim),...['page','cell','cell2','ground','plain','mountain','forest'].map(n=>ratio(rim,name(n))));
  if(r<3)wrong.push(['outline '+s.stroke+' of '+s.fill,r.toFixed(2)]);
}
return {wrong,looked};
// = layout
const wrong=[],wide=document.documentElement.clientWidth;
if(document.documentElement.scrollWidth>wide)wrong.push('the page is '+document.documentElement.scrollWidth+' px wide');
const dialog=document.querySelector('dialog[open]')??document.body;
const scrolls=e=>{for(let n=e.parentElement;n&&n!==dialog;n=n.parentElement)
  if(/auto|scroll/.test(getComputedStyle(n).overflow+getComputedStyle(n).overflowX))return n;return null;};
const found=[...dialog.querySelectorAll('button,input,select,textarea,summary,h2,h3,output')].filter(e=>{
  const r=e.getBoundingClientRect();
  return r.width>0&&r.height>0&&e.checkVisibility({visibilityProperty:true})&&!e.closest('svg')&&!e.closest('.skip');});
const said=e=>(e.id||e.getAttribute('aria-label')||e.textContent||e.tagName).trim().slice(0,40);
const sticky=e=>!!e.closest('.bar,#middle');
const boxes=found.map(e=>[e,e.getBoundingClientRect(),scrolls(e)]);
for(const [e,r,s] of boxes){
  if(!s&&(r.left<-.5||r.right>wide+.5))wrong.push(said(e)+' sticks out of the page');
  if(e.tagName==='BUTTON'&&e.scrollWidth>e.clientWidth+1)wrong.push(said(e)+' is wider than its button');
}
for(let i=0;i<boxes.length;i++)for(let k=i+1;k<boxes.length;k++){
  const [a,p,s]=boxes[i],[b,q,t]=boxes[k];
  if(a.contains(b)||b.contains(a)||s!==t||sticky(a)!==sticky(b))continue;
  const w=Math.min(p.right,q.right)-Math.max(p.left,q.left),h=Math.min(p.bottom,q.bottom)-Math.max(p.top,q.top);
  if(w>1&&h>1)wrong.push(said(a)+' lies on '+said(b));
}
return wrong;
// = boxes
const wrong=[],texts=[...document.querySelectorAll('text')];
const said=t=>t.textContent+' ('+(t.closest('[aria-label]')?.getAttribute('aria-label')??'')+')';
for(const g of document.querySelectorAll('g[role=img]')){
  const shape=g.querySelector(':scope>path');
  if(!shape)continue;
  const s=shape.getBoundingClientRect();
  for(const t of g.querySelectorAll(':scope>text')){
    const b=t.getBoundingClientRect();
    if(b.left<s.left||b.right>s.right)
      wrong.push(said(t)+' touches its outline: '+[b.left-s.left,s.right-b.right].map(x=>x.toFixed(1)));
  }
}
const boxes=texts.map(t=>{const b=t.getBoundingClientRect(),h=b.height;
  return {t,left:b.left,right:b.right,top:b.top+.22*h,bottom:b.bottom-.22*h};});
const wide=document.documentElement.getBoundingClientRect();
for(let i=0;i<boxes.length;i++){
  const a=boxes[i];
  if(a.left<wide.left-.5||a.right>wide.right+.5)wrong.push(said(a.t)+' sticks out of the picture');
  for(let k=i+1;k<boxes.length;k++){
    const b=boxes[k],w=Math.min(a.right,b.right)-Math.max(a.left,b.left),h=Math.min(a.bottom,b.bottom)-Math.max(a.top,b.top);
    if(w>.5&&h>.5)wrong.push(said(a.t)+' lies on '+said(b.t));
  }
}
// what stands on the board beside pieces is not below one of them
const outlines=[...document.querySelectorAll('g[role=img]>path:first-of-type')]
  .map(p=>[p.parentElement,p.getBoundingClientRect()]);
for(const a of boxes){
  if(a.t.closest('g[role=img]'))continue;
  for(const [g,b] of outlines){
    const w=Math.min(a.right,b.right)-Math.max(a.left,b.left),h=Math.min(a.bottom,b.bottom)-Math.max(a.top,b.top);
    if(w>1&&h>1&&
      a.t.compareDocumentPosition(g)&Node.DOCUMENT_POSITION_FOLLOWING)
      wrong.push(said(a.t)+' lies below '+g.getAttribute('aria-label'));
  }
}
return wrong;
// = roleless
return [...document.querySelectorAll('[tabindex],[onclick]')].filter(e=>e.getClientRects().length&&e.tabIndex>=0
  &&!/^(BUTTON|INPUT|SELECT|TEXTAREA|A|SUMMARY|DIALOG|LI)$/.test(e.tagName)&&!e.getAttribute('role')
  &&e.id!=='board').map(e=>e.outerHTML.slice(0,80));
