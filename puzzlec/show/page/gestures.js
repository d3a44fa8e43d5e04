// Gestures: mouse, fingers, wheel and keys. Each gesture becomes one call. This file does not know puzzles.

const TAP = 6; // pixels that a finger may move during a tap

/**
 * Listens to pointers on a canvas. `act` has turn, move, zoom, hover and choose. If it has `grab`, it gets the first
 * pointer; if it has `wheel`, it gets the wheel. They return whether they use it. Returns a function that stops
 * listening.
 */
function listenToPointers(canvas, act) {
  const down = new Map();
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const spread = () => {
    const [a, b] = [...down.values()];
    return [Math.hypot(a[0] - b[0], a[1] - b[1]), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const handlers = {
    pointerdown(event) {
      if (!down.size && act.grab?.(...at(event), event)) return;
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, at(event));
      if (down.size === 1) moved = 0;
      else moved = Infinity;
    },
    pointermove(event) {
      const [x, y] = at(event);
      const before = down.get(event.pointerId);
      if (!before) return act.hover(x, y);
      if (down.size === 2) {
        const [wide, x0, y0] = spread();
        down.set(event.pointerId, [x, y]);
        const [wider, x1, y1] = spread();
        act.zoom(wider / (wide || 1));
        act.move(x1 - x0, y0 - y1);
        return;
      }
      down.set(event.pointerId, [x, y]);
      moved += Math.hypot(x - before[0], y - before[1]);
      if (moved <= TAP) return;
      if (event.buttons & 6 || event.shiftKey) act.move(x - before[0], before[1] - y);
      else act.turn(x - before[0], y - before[1]);
    },
    pointerup(event) {
      const known = down.delete(event.pointerId);
      if (known && !down.size && moved <= TAP && event.button !== 1) act.choose(...at(event), event);
    },
    pointercancel(event) {
      down.delete(event.pointerId);
    },
    lostpointercapture(event) {
      down.delete(event.pointerId); // the canvas may be hidden or moved before the button is released
    },
    pointerleave() {
      if (!down.size) act.hover(-1, -1);
    },
    wheel(event) {
      if (act.wheel?.(event)) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
      act.zoom(Math.exp(-clamped(event.deltaY * lines, -300, 300) * 0.0016));
    },
    contextmenu(event) {
      event.preventDefault();
    },
    dblclick() {
      act.reset();
    },
  };
  for (const [kind, handler] of Object.entries(handlers)) canvas.addEventListener(kind, handler, { passive: false });
  return () => {
    for (const [kind, handler] of Object.entries(handlers)) canvas.removeEventListener(kind, handler);
  };
}

/** Runs the action of a key; returns whether it has one. */
function pressed(event, act) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const [turn, far] = [0.16, 40];
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (arrows[event.key]) {
    const [x, y] = arrows[event.key];
    if (event.shiftKey) act.move(x * far, -y * far);
    else act.turnBy(x * turn, y * turn);
    return true;
  }
  const meaning = {
    "+": () => act.zoom(1.2), "=": () => act.zoom(1.2), "-": () => act.zoom(1 / 1.2), "−": () => act.zoom(1 / 1.2),
    r: act.reset, Home: act.reset, e: () => act.explodeBy(0.25), E: () => act.explodeBy(-0.25), ".": act.forth, ",": act.back,
    " ": act.play, n: act.next, p: act.previous, h: act.hideSelected, a: act.showAll, b: act.board, c: act.seams,
    f: act.whole, s: act.save, "?": act.keys, Escape: act.letGo,
  };
  if (!meaning[event.key]) return false;
  meaning[event.key]();
  return true;
}
