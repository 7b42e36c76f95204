const CONTROLS = ':is(header, main) :is(a, button, input)';

const controlsOf = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>(CONTROLS)];

/** Where something stands on the screen, to be found again when the app has drawn it anew. */
interface Place {
  /** Links are told by where they lead: the list may be another one by then. */
  href: string | null;
  index: number;
}

/**
 * Has nothing be lost that somebody does while the app itself is not there: the last thing that was pressed is pressed
 * once it is, and what was typed is typed. Whatever is focused stays so.
 */
export function passOn(root: HTMLElement): void {
  const drawn = root.lastElementChild;
  let pressed: Place | null = null;
  let focused: Place | null = null;
  let typed = '';
  const placeOf = (control: HTMLElement): Place => ({
    href: control.getAttribute('href'),
    index: controlsOf(root).indexOf(control),
  });
  const find = ({ href, index }: Place) => {
    const controls = controlsOf(root);
    return href === null
      ? controls[index]
      : controls.find((control) => control.getAttribute('href') === href);
  };
  const press = (event: MouseEvent) => {
    const control = (event.target as Element).closest<HTMLElement>('a, button');
    // In another tab a link opens by itself.
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    pressed = placeOf(control);
  };
  const focus = ({ target }: FocusEvent) => {
    focused = placeOf(target as HTMLElement);
  };
  const type = ({ target }: Event) => {
    typed = (target as HTMLInputElement).value;
  };
  const watching = new MutationObserver(() => {
    if (drawn?.isConnected) return;
    watching.disconnect();
    root.removeEventListener('click', press);
    root.removeEventListener('focusin', focus);
    root.removeEventListener('input', type);
    const next = focused && find(focused);
    next?.focus();
    if (next instanceof HTMLInputElement && typed !== '') typeInto(next, typed);
    if (pressed) find(pressed)?.click();
  });
  root.addEventListener('click', press);
  root.addEventListener('focusin', focus);
  root.addEventListener('input', type);
  watching.observe(root, { childList: true });
}

/** React hears of a value only when the element's own setter has taken it. */
function typeInto(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
