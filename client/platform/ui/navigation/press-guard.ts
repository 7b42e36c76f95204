/** What a press activates. */
const INTERACTIVE =
  'a[href], button, input, select, textarea, summary, label, [role=button], [role=tab], [role=option], [tabindex]';
/** In pixels; a finger that moved farther didn't tap. */
const DRIFT = 10;

const controlOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(INTERACTIVE) : null;

/** Whether a click on `clicked` belongs to a press on `pressed`: the same control, or the field of a pressed label. */
const belongsTo = (pressed: Element | null, clicked: Element): boolean =>
  pressed === clicked || (pressed instanceof HTMLLabelElement && pressed.control === clicked);

/** While it is active. */
let stop: (() => void) | null = null;

/**
 * Lets a press act only on the control on which it began. A screen that replaces another, or moves, under a finger or while a key is
 * held must not act: the click goes to the pressed control if it is still there, and to nothing otherwise.
 * @returns how to stop
 */
export function guardPresses(): () => void {
  if (stop) return stop;
  /** Undefined between presses: clicks of assistive technology have none. */
  let press: { control: Element | null; x: number; y: number } | undefined;
  let heldKey: { key: string; target: EventTarget | null } | undefined;
  const refuse = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const listeners = {
    pointerdown({ target, clientX, clientY }: PointerEvent) {
      press = { control: controlOf(target), x: clientX, y: clientY };
    },
    pointercancel() {
      press = undefined;
    },
    click(event: MouseEvent) {
      const begun = press;
      press = undefined;
      // Clicks by keyboard or script have no detail.
      if (!begun || event.detail === 0) return;
      const clicked = controlOf(event.target);
      if (!clicked || belongsTo(begun.control, clicked)) return;
      refuse(event);
      const isTap = Math.hypot(event.clientX - begun.x, event.clientY - begun.y) <= DRIFT;
      if (isTap && begun.control instanceof HTMLElement && begun.control.isConnected)
        begun.control.click();
    },
    keydown(event: KeyboardEvent) {
      if (!event.repeat) heldKey = { key: event.key, target: event.target };
      else if (event.key === 'Enter' && heldKey?.target !== event.target) refuse(event);
    },
    keyup(event: KeyboardEvent) {
      // Space activates a button when it is released.
      if (event.key === ' ' && heldKey?.key === ' ' && heldKey.target !== event.target)
        refuse(event);
      heldKey = undefined;
    },
  };
  const entries = Object.entries(listeners) as [string, (event: Event) => void][];
  for (const [type, listener] of entries) addEventListener(type, listener, { capture: true });
  stop = () => {
    stop = null;
    for (const [type, listener] of entries) removeEventListener(type, listener, { capture: true });
  };
  return stop;
}
