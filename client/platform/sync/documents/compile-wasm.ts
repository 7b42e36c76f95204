/**
 * Compiles Automerge in a worker: the page can't answer a tap while it reads compiled code from the cache of the browser.
 * @throws when the worker fails
 */
export const compileWasm = (): Promise<WebAssembly.Module> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./compile-wasm-worker.ts', import.meta.url), {
      type: 'module',
    });
    worker.addEventListener('message', ({ data }: MessageEvent<WebAssembly.Module | null>) => {
      if (data) resolve(data);
      else reject(new Error('The worker did not compile the module'));
    });
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
