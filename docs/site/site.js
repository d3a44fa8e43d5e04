// The theme puts each button to copy in a landmark. Screen readers would list dozens of landmarks without a name.
"use strict";

function unmark() {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
}

new MutationObserver(unmark).observe(document.body, { childList: true, subtree: true });
unmark();
