import wasmUrl from '@automerge/automerge/automerge.wasm?url';

// The page shares the compiled module. Null tells it that there is none.
const module = await WebAssembly.compileStreaming(fetch(wasmUrl)).catch(() => null);
self.postMessage(module);
self.close();
