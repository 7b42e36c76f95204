import { register } from 'node:module';

/** Resolves `automerge.wasm?url` in Node like Vite does in the client, to the bytes themselves. */
const HOOKS = `
export async function resolve(specifier, context, next) {
  if (!specifier.endsWith('.wasm?url')) return next(specifier, context);
  const { url } = await next(specifier.slice(0, -'?url'.length), context);
  return { url: url + '?url', format: 'module', shortCircuit: true };
}
export async function load(url, context, next) {
  if (!url.endsWith('.wasm?url')) return next(url, context);
  const path = JSON.stringify(url.slice(0, -'?url'.length));
  const source = "import { readFileSync } from 'node:fs'; export default readFileSync(new URL(" + path + "));";
  return { format: 'module', shortCircuit: true, source };
}`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
