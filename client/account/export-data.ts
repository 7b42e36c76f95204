import { exportAccount } from '#shared/account/contract.ts';
import type { Failure } from '#shared/endpoint.ts';
import { pathOf } from '../call.ts';

const NAME = 'my-data.zip';

/**
 * Fetches everything that the server has of the owner.
 * @param onProgress hears how much of it is here, from 0 to 1
 * @throws with words for the person
 */
export async function fetchExport(
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<File> {
  const response = await fetch(pathOf(exportAccount), { signal }).catch((cause: unknown) => {
    throw new Error(exportAccount.failure, { cause });
  });
  if (!response.ok || !response.body) {
    const failure = (await response.json().catch(() => null)) as Partial<Failure> | null;
    throw new Error(failure?.error ?? exportAccount.failure);
  }
  const length = Number(response.headers.get('content-length'));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let here = 0;
  const reader = response.body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value);
      here += read.value.length;
      if (length > 0) onProgress(Math.min(1, here / length));
    }
  } catch (cause) {
    throw new Error(exportAccount.failure, { cause });
  }
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
  return new File(parts, named?.[1] ?? NAME, { type: 'application/zip' });
}

/** Has the browser save a file. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  // Some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
