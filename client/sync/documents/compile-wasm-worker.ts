import wasmUrl from '@automerge/automerge/automerge.wasm?url';

// The page shares the compiled module. Null tells it that there is none.
void WebAssembly.compileStreaming(fetch(wasmUrl))
  .catch(() => null)
  .then((module) => {
    self.postMessage(module);
    self.close();
  });
