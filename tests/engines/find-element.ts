/** What a person looks for. Texts are compared without case, and may be a part of the whole. */
export type Target =
  | { role: keyof typeof ROLES; name: string; nth?: number }
  | { label: string }
  | { text: string };

/** The elements of a role. */
export const ROLES = {
  button: 'button, [role=button], summary',
  link: 'a[href]',
  heading: 'h1, h2, h3, h4, [role=heading]',
  radio: '[role=radio], input[type=radio]',
  switch: '[role=switch]',
  checkbox: '[role=checkbox], input[type=checkbox]',
  tab: '[role=tab]',
  dialog: 'dialog, [role=dialog], [role=alertdialog]',
  img: 'img, [role=img]',
  region: 'section, [role=region], [role=alert]',
} as const;

/**
 * Runs in the page: returns the visible element, or null. Names follow the parts of the accessible name that the app uses.
 * @param isTapped also brings it into view; null while something else covers it or it is disabled
 */
export function findElement(
  roles: Record<string, string>,
  target: { role?: string; name?: string; label?: string; text?: string; nth?: number },
  isTapped: boolean,
): Element | null {
  const flat = (text: string | null | undefined) =>
    (text ?? '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const textOf = (ids: string | null) =>
    (ids ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' ');
  const labels = (element: Element) =>
    [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent).join(' ');
  const nameOf = (element: Element) =>
    flat(textOf(element.getAttribute('aria-labelledby'))) ||
    flat(element.getAttribute('aria-label')) ||
    flat(labels(element)) ||
    flat(element.getAttribute('alt')) ||
    flat(element.textContent) ||
    flat(element.getAttribute('placeholder'));
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    if (element.closest('[inert], [aria-hidden=true]')) return false;
    return getComputedStyle(element).visibility !== 'hidden';
  };
  const found = (selector: string, words: string, name: (element: Element) => string) => {
    const all = [...document.querySelectorAll(selector)].filter(
      (element) => isShown(element) && name(element).includes(flat(words)),
    );
    const exact = all.filter((element) => name(element) === flat(words));
    return (exact.length > 0 ? exact : all)[target.nth ?? 0] ?? null;
  };
  const byText = (words: string) => {
    const inner = [...document.body.querySelectorAll('*')].filter(
      (element) => isShown(element) && flat(element.textContent).includes(flat(words)),
    );
    // The innermost comes last in each branch.
    return inner.findLast((element) => !/^(SCRIPT|STYLE)$/.test(element.tagName)) ?? null;
  };
  const element = target.role
    ? found(roles[target.role] ?? '', target.name ?? '', nameOf)
    : target.label
      ? found('input, textarea, select, [contenteditable=true]', target.label, nameOf)
      : byText(target.text ?? '');
  if (!element || !isTapped) return element;
  if ((element as HTMLButtonElement).disabled || element.ariaDisabled === 'true') return null;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const isReached = hit !== null && (element.contains(hit) || hit.contains(element));
  return isReached ? element : null;
}
