const loading = new Map<string, Promise<void>>();

/** Loads a script once; a failed load can be retried. */
export function loadScript(src: string): Promise<void> {
  const begun = loading.get(src);
  if (begun) return begun;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      loading.delete(src);
      reject(new Error(`${src} did not load`));
    };
    document.head.append(script);
  });
  loading.set(src, loaded);
  return loaded;
}
