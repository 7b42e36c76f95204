import { exportAccount } from '#shared/account/contract.ts';
import type { Failure } from '#shared/endpoint.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { CallError, pathOf } from './http/api-client.ts';
import { reportRefusal } from './http/api.ts';
import { ShownError } from './http/shown-error.ts';

const NAME = 'my-data.zip';

/** Fetches a file. @throws with a message for the user; a rejection is reported like any call's */
async function fetchFile(path: string, words: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal: signal ?? null }).catch((cause: unknown) => {
    throw new ShownError(words, { cause });
  });
  if (response.ok && response.body) return response;
  const failure = (await response.json().catch(() => null)) as Partial<Failure> | null;
  const refusal = new CallError(
    failure?.error ?? words,
    response.status,
    failure?.code ?? 'failed',
  );
  reportRefusal(refusal);
  throw refusal;
}

/** Fetches an address and saves the answer as a file. @throws with a message for the user */
export async function download(path: string, words: string): Promise<void> {
  const response = await fetchFile(path, words);
  const blob = await response.blob().catch((cause: unknown) => {
    throw new ShownError(words, { cause });
  });
  saveFile(new File([blob], nameIn(response) ?? 'export.csv', { type: blob.type }));
}

/**
 * Fetches all data that the server has about the owner.
 * @param onProgress called with the fraction received, from 0 to 1
 * @throws with a message for the user
 */
export async function fetchExport(
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<File> {
  const response = await fetchFile(pathOf(exportAccount), exportAccount.failure, signal);
  const length = Number(response.headers.get('content-length'));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let here = 0;
  const reader = response.body!.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value);
      here += read.value.length;
      if (length > 0) onProgress(Math.min(1, here / length));
    }
  } catch (cause) {
    throw new ShownError(exportAccount.failure, { cause });
  }
  return new File(parts, nameIn(response) ?? NAME, { type: 'application/zip' });
}

const nameIn = ({ headers }: Response): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];

/** Saves a file in the browser. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  // Some browsers read the URL only after the click.
  setTimeout(() => URL.revokeObjectURL(url), MINUTE_MS);
}
