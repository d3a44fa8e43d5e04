// A wide block of code or table scrolls, so the keyboard must reach it. An empty corner of a table is not a header.
// The theme puts each button to copy in a landmark. Screen readers would list dozens of landmarks without a name.
"use strict";

let isWaiting = false;

function corrected() {
  isWaiting = false;
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
  const all = [...document.querySelectorAll("pre > code, .md-typeset__scrollwrap")];
  const wide = new Set(all.filter(block => block.scrollWidth > block.clientWidth));
  for (const block of all) wide.has(block) ? (block.tabIndex = 0) : block.removeAttribute("tabindex");
  for (const corner of document.querySelectorAll("th:empty")) corner.replaceWith(document.createElement("td"));
}

/** Correct the page once before the next picture: the theme changes hundreds of blocks of a long page one by one. */
function later() {
  if (!isWaiting) requestAnimationFrame(corrected);
  isWaiting = true;
}

window.addEventListener("resize", later);
new MutationObserver(later).observe(document.body, { childList: true, subtree: true });
corrected();
