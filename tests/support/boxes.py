"""Checks the texts of a picture in the browser: they lie within their pieces and do not overlap."""

from __future__ import annotations

from pathlib import Path

from .browser import Browser

_BOXES = """(()=>{
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
return wrong;})()"""


def wrong_boxes(tab: Browser, svg: Path) -> list[str]:
    """Texts of a picture that touch the outline of their piece, stick out, overlap, or lie below a piece."""
    tab.open(svg.as_uri(), "document.readyState==='complete'")
    return list(tab.value(_BOXES))
