import type { StorageAdapterInterface, StorageKey } from '@automerge/automerge-repo/slim';
import type { SegmentPair } from '#shared/chat/threads.ts';
import type { MessageText } from '../types.ts';
import type { SearchWorkerClient } from './search-worker-client.ts';
import type { SavedPair, SavedSegment, SegmentsAnswer } from './segment-search.ts';

/** Both friends' segments of one number of a thread. */
export interface OlderSegment {
  friend_user_id: string;
  pair: SegmentPair;
}

/** What was found in a pair of segments, in no order; null where the pair is not on this device. */
export interface FoundInSegment {
  segment: OlderSegment;
  messages: MessageText[] | null;
}

/** A segment with the place of the texts that are read from just these parts, and earlier ones. */
interface LoadedSegment extends SavedSegment {
  key: StorageKey;
  outdated: StorageKey[];
}

interface LoadedPair extends SavedPair {
  saved: readonly LoadedSegment[] | null;
}

/** Pairs that are read together: waiting for each costs a slow phone more than reading it. */
const READ_AT_ONCE = 8;
const PARTS = new Set(['snapshot', 'incremental']);
/** Beside the parts of a document, so that they are removed with it. The last part of the key says of which parts they are. */
const TEXTS = 'texts-1';

/**
 * Searches older segments on this device. Reads them without the Repo, which never unloads a document that it has opened, and would
 * overwrite one that is dropped while the server still sends changes. Decision 120.
 */
export class OlderMessages {
  readonly #storage: StorageAdapterInterface | null;
  readonly #search: () => SearchWorkerClient;
  #searching: SearchWorkerClient | null = null;
  #searches = 0;
  /** Pairs that the worker has cached, by the own segment of each. */
  readonly #known = new Set<string>();

  /**
   * @param storage null where the browser stores nothing
   * @param search starts the worker, which has a cache of its own
   */
  constructor(storage: StorageAdapterInterface | null, search: () => SearchWorkerClient) {
    this.#storage = storage;
    this.#search = search;
  }

  /**
   * Yields the messages of pairs that contain the words, some pairs at a time, in their order, until enough is found.
   * @param words normalized, not empty
   */
  async *find(segments: readonly OlderSegment[], words: string): AsyncGenerator<FoundInSegment[]> {
    this.#searches++;
    try {
      for (let from = 0; from < segments.length;) {
        const some = this.#next(segments, from);
        from += some.length;
        yield await this.#findIn(some, words);
      }
    } finally {
      this.#searches--;
    }
  }

  /**
   * Stores the texts of a pair, so that a later search need not read it with Automerge.
   * @returns whether they are stored: the pair is on this device
   */
  async prepare(pair: SegmentPair): Promise<boolean> {
    const saved = await this.#load(pair);
    if (!saved) return false;
    if (saved.every(({ areTexts }) => areTexts)) return true;
    const [answer] = await this.#ask([{ name: pair.mine, saved }], '');
    return answer !== undefined && answer.found !== null;
  }

  /** Stops the worker after preparations, unless somebody searches. */
  rest(): void {
    if (this.#searches === 0 && this.#known.size === 0) this.forget();
  }

  /** Stops the worker and its cache. */
  forget(): void {
    this.#searching?.stop();
    this.#searching = null;
    this.#known.clear();
  }

  /** The next pairs to search together: all that the worker knows, or some that are read. */
  #next(segments: readonly OlderSegment[], from: number): OlderSegment[] {
    const isKnown = ({ pair }: OlderSegment) => this.#known.has(pair.mine);
    const kind = isKnown(segments[from]!);
    const until = segments.findIndex((segment, i) => i > from && isKnown(segment) !== kind);
    const same = segments.slice(from, until === -1 ? undefined : until);
    return kind ? same : same.slice(0, READ_AT_ONCE);
  }

  async #findIn(segments: OlderSegment[], words: string): Promise<FoundInSegment[]> {
    const pairs = await Promise.all(
      segments.map(async ({ pair }) => {
        const saved = this.#known.has(pair.mine) ? null : await this.#load(pair);
        return { name: pair.mine, saved };
      }),
    );
    const here = pairs.filter(({ name, saved }) => saved || this.#known.has(name));
    const answers = here.length > 0 ? await this.#ask(here, words) : [];
    const byName = new Map(answers.map((answer, i) => [here[i]!.name, answer]));
    for (const [name, { isCached }] of byName) if (isCached) this.#known.add(name);
    return segments.flatMap((segment) => {
      const { mine } = segment.pair;
      const answer = byName.get(mine);
      // Not searched: enough was found before.
      if (!answer && here.some(({ name }) => name === mine)) return [];
      return [{ segment, messages: answer?.found ?? null }];
    });
  }

  async #ask(pairs: LoadedPair[], words: string): Promise<SegmentsAnswer> {
    this.#searching ??= this.#search();
    const answers = await this.#searching.find({ pairs, words });
    const loaded = new Map(
      pairs.flatMap(({ saved }) => (saved ?? []).map((segment) => [segment.url, segment])),
    );
    for (const { texts } of answers)
      for (const { url, data } of texts)
        void this.#storeTexts(loaded.get(url), data).catch((error: unknown) =>
          console.warn('Failed to store the texts of a thread segment', error),
        );
    return answers;
  }

  /** Reads both segments; null where one is not saved. */
  async #load({ mine, theirs }: SegmentPair): Promise<LoadedSegment[] | null> {
    const segments = await Promise.all(
      [mine, theirs].map(async (url): Promise<LoadedSegment | null> => {
        const chunks = (await this.#storage?.loadRange([idOf(url)])) ?? [];
        const parts = chunks.flatMap(({ key, data }) =>
          PARTS.has(key[1] ?? '') && data ? [{ key, data }] : [],
        );
        if (parts.length === 0) return null;
        const key = [idOf(url), TEXTS, await stampOf(parts.map((part) => part.key))];
        const all = chunks.filter((chunk) => chunk.key[1] === TEXTS);
        const texts = all.find((chunk) => chunk.key[2] === key[2])?.data;
        const isOwn = url === mine;
        const outdated = all.map((chunk) => chunk.key);
        if (texts) return { url, isOwn, data: texts, areTexts: true, key, outdated };
        const data = joined(parts.map((part) => part.data));
        return { url, isOwn, data, areTexts: false, key, outdated };
      }),
    );
    return segments.every((segment) => segment !== null) ? segments : null;
  }

  async #storeTexts(segment: LoadedSegment | undefined, data: Uint8Array): Promise<void> {
    if (!segment) return;
    for (const before of segment.outdated) await this.#storage?.remove(before);
    await this.#storage?.save(segment.key, data);
  }
}

const idOf = (url: string): string => url.replace('automerge:', '');

/** Their names have the hashes of what they contain. */
async function stampOf(keys: StorageKey[]): Promise<string> {
  const names = new TextEncoder().encode(JSON.stringify(keys));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', names));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
