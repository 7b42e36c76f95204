/** Keeps the mouse wheel from changing the number field that has the focus: it scrolls the page. */
export function guardNumberFields(): void {
  document.addEventListener(
    'wheel',
    ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === 'number') target.blur();
    },
    { passive: true },
  );
}
