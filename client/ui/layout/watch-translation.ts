/** Loads the guard of translated pages when a translator begins, with what it did until then: visitors rarely need it. */
export function watchTranslation(): void {
  const { body } = document;
  const records: MutationRecord[] = [];
  const watch = new MutationObserver((seen) => {
    const isFirst = records.length === 0;
    records.push(...seen.filter(({ addedNodes: [added] }) => added?.nodeName === 'FONT'));
    if (isFirst && records.length > 0) void guard();
  });
  const guard = async () => {
    const { guardTranslatedPage } = await import('./translated-page.ts');
    watch.disconnect();
    guardTranslatedPage(body, records);
  };
  watch.observe(body, { childList: true, subtree: true });
}
