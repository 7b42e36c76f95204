/** Browsers let a stalled connection wait for minutes. */
const LOADS_WITHIN_MS = 20_000;

const loading = new Map<string, Promise<void>>();

/** Loads a script once; a failed load can be retried. */
export function loadScript(src: string): Promise<void> {
  const begun = loading.get(src);
  if (begun) return begun;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.async = true;
    const fail = () => {
      clearTimeout(timer);
      script.remove();
      loading.delete(src);
      reject(new Error(`${src} did not load`));
    };
    const timer = setTimeout(fail, LOADS_WITHIN_MS);
    script.onload = () => {
      clearTimeout(timer);
      resolve();
    };
    script.onerror = fail;
    document.head.append(script);
  });
  loading.set(src, loaded);
  return loaded;
}
