
"use strict";
(async function(){
const packed=Uint8Array.from(atob(document.getElementById("data").textContent),c=>c.charCodeAt(0));
const unpacked=new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const all=JSON.parse(await new Response(unpacked).text()).records;
const wide=matchMedia("(min-width:720px)");
const articles=[...document.querySelectorAll("article")];
let at=0,steps=all.map(r=>r.begin);
const part=(a,s)=>a.querySelector("[data-"+s+"]");
function list(into,lines,cut){
  into.replaceChildren(...lines.map(line=>{
    const li=document.createElement("li");
    if(cut){const b=document.createElement("b");
      b.textContent={"+":"\u2295","-":"\u2296",">":"\u2192","~":"~"}[line[0]]||line[0];
      li.append(b," ",line.slice(2));}
    else li.textContent=line;
    return li;}));
  into.hidden=!lines.length;
}
function board(a,r,k){
  const box=part(a,"board");
  if(!box||!r.pictures||!r.pictures.layouts.length)return;
  const l=wide.matches?0:r.pictures.layouts.length-1,f=r.pictures.frames[l][k];
  if(!f)return;
  const w=r.pictures.layouts[l].width;
  box.innerHTML='<svg role="group" viewBox="0 0 '+w+' '+f[0]+'" width="'+w+'" height="'+f[0]+'">'+
    f[2].map(g=>r.pictures.groups[g].map(t=>r.pictures.texts[t]).join("")+"</g>").join("")+"</svg>";
  box.firstChild.setAttribute("aria-label",f[1]);
}
function show(k,focus){
  const r=all[at],a=articles[at];
  if(!r||!a||!r.steps.length)return;
  const n=r.steps.length-1;
  k=steps[at]=Math.max(0,Math.min(n,k));
  const s=r.steps[k];
  board(a,r,k);
  part(a,"slider").value=k;
  part(a,"slider").setAttribute("aria-valuetext","move "+k+" of "+n+": "+s.text);
  part(a,"count").textContent=k+" of "+n;
  part(a,"text").textContent=s.text;
  part(a,"code").textContent=s.code;
  part(a,"comment").textContent=s.comment;
  list(part(a,"events"),s.events,false);
  list(part(a,"changes"),s.changes,true);
  a.querySelectorAll("[data-step]").forEach(b=>{
    if(+b.dataset.step===k)b.setAttribute("aria-current","true");else b.removeAttribute("aria-current");});
  const now=a.querySelector(".moves [aria-current]"),moves=a.querySelector(".moves");
  if(now&&moves){const top=now.offsetTop-moves.offsetTop;
    if(top<moves.scrollTop||top>moves.scrollTop+moves.clientHeight-30)moves.scrollTop=top-120;}
  a.querySelectorAll("[data-fault]").forEach(f=>{f.hidden=+f.dataset.fault!==k;});
  const c=a.querySelector(".cursor");
  if(c){const x=30+306*k/Math.max(1,n);c.setAttribute("x1",x);c.setAttribute("x2",x);}
  try{history.replaceState(null,"","#"+at+"@"+k);}catch(e){}
}
function open(i){
  at=Math.max(0,Math.min(all.length-1,i));
  articles.forEach((a,k)=>{a.hidden=k!==at;});
  document.querySelectorAll("[data-open]").forEach(b=>{
    const row=b.closest("tr");
    if(+b.dataset.open===at)row.setAttribute("aria-current","true");else row.removeAttribute("aria-current");});
  show(steps[at]);
}
function fault(by){
  const f=all[at].faults,k=steps[at];
  const next=by>0?f.find(n=>n>k):[...f].reverse().find(n=>n<k);
  if(f.length)show(next===undefined?f[by>0?0:f.length-1]:next);
}
document.addEventListener("click",e=>{
  const b=e.target.closest("button");
  if(!b)return;
  if(b.dataset.open!==undefined)open(+b.dataset.open);
  else if(b.dataset.step!==undefined)show(+b.dataset.step);
  else if(b.dataset.go==="fault")fault(1);
  else if(b.dataset.go!==undefined)show(b.dataset.go==="last"?1e9:b.dataset.go==="first"?0:steps[at]+ +b.dataset.go);
});
document.addEventListener("input",e=>{if(e.target.dataset.slider!==undefined)show(+e.target.value);});
document.addEventListener("keydown",e=>{
  if(e.ctrlKey||e.metaKey||e.altKey||(e.target.tagName==="INPUT"&&e.target.type!=="range"))return;
  const go={ArrowRight:1,ArrowLeft:-1,PageDown:10,PageUp:-10}[e.key];
  if(go)show(steps[at]+go);
  else if(e.key==="Home")show(0);
  else if(e.key==="End")show(1e9);
  else if(e.key==="f")fault(1);
  else if(e.key==="F")fault(-1);
  else if(e.key==="n")open(at+1);
  else if(e.key==="p")open(at-1);
  else return;
  e.preventDefault();
});
wide.addEventListener("change",()=>show(steps[at]));
const hash=/^#(\d+)@(\d+)$/.exec(location.hash);
if(hash&&all[+hash[1]]){steps[+hash[1]]=+hash[2];open(+hash[1]);}else open(0);
document.documentElement.dataset.ready="yes";
})();
