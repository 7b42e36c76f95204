/** Loads the guard of translated pages when a translator begins, with what it did until then: visitors rarely need it. */
export function watchTranslation(): void {
  const { body } = document;
  const records: MutationRecord[] = [];
  const watch = new MutationObserver(async (seen) => {
    if (!seen.some(({ addedNodes: [added] }) => added?.nodeName === 'FONT')) return;
    records.push(...seen);
    const { guardTranslatedPage } = await import('./translated-page.ts');
    watch.disconnect();
    guardTranslatedPage(body, records);
  });
  watch.observe(body, { childList: true, subtree: true });
}
