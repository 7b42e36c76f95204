import type { StorageKey } from '@automerge/automerge-repo/slim';
import type { SegmentPair } from '#shared/chat/threads.ts';
import type { DocumentStorage } from '../../../platform/sync/storage/document-storage.ts';
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

/** By the ids of documents. */
interface ListedTexts {
  current: ReadonlyMap<string, StorageKey>;
  outdated: StorageKey[];
  here: ReadonlySet<string>;
}

/** Pairs that are searched together: waiting for each costs a slow phone more than reading it. */
const AT_ONCE = { known: Infinity, prepared: 64, unprepared: 8 };
const PARTS = new Set(['snapshot', 'incremental']);
/**
 * Beside the parts of a document, so that they are removed with it. The last part of the key says of which parts they are. Raise the
 * number when they are written differently, or `searchText` changes.
 */
const TEXTS = 'texts-2';
const ANY_TEXTS = 'texts-';

/**
 * Searches older segments on this device. Reads them without the Repo, which never unloads a document that it has opened, and would
 * overwrite one that is dropped while the server still sends changes. Decision 120.
 */
export class OlderMessages {
  readonly #storage: DocumentStorage | null;
  readonly #search: () => SearchWorkerClient;
  #searching: SearchWorkerClient | null = null;
  #searches = 0;
  /** Names of pairs that the worker has cached. */
  readonly #known = new Set<string>();

  /**
   * @param storage null where the browser stores nothing
   * @param search starts the worker, which has a cache of its own
   */
  constructor(storage: DocumentStorage | null, search: () => SearchWorkerClient) {
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
      const isKnown = segments.every(({ pair }) => this.#known.has(nameOf(pair)));
      const texts = isKnown ? NO_TEXTS : (await this.#listTexts()).current;
      for (let from = 0; from < segments.length;) {
        const some = this.#next(segments, from, texts);
        from += some.length;
        yield await this.#findIn(some, words, texts);
      }
    } finally {
      this.#searches--;
    }
  }

  /**
   * Returns the pairs of which this device stores both segments, but not their texts as they are now, and removes texts of what
   * is no longer stored: another tab may have stored them while this one removed their document.
   */
  async unprepared(pairs: readonly SegmentPair[]): Promise<SegmentPair[]> {
    const { current, outdated, here } = await this.#listTexts();
    for (const key of outdated) await this.#storage?.remove(key);
    const isEach = (pair: SegmentPair, ids: { has(id: string): boolean }) =>
      ids.has(idOf(pair.mine)) && ids.has(idOf(pair.theirs));
    return pairs.filter((pair) => isEach(pair, here) && !isEach(pair, current));
  }

  /** Stores the texts of a pair, so that a later search need not read it with Automerge. */
  async prepare(pair: SegmentPair): Promise<void> {
    const saved = await this.#load(pair);
    if (saved?.some(({ areTexts }) => !areTexts))
      await this.#ask([{ name: nameOf(pair), saved }], '');
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

  /** The next pairs to search together, in the same way. */
  #next(
    segments: readonly OlderSegment[],
    from: number,
    texts: ReadonlyMap<string, StorageKey>,
  ): OlderSegment[] {
    const kindOf = ({ pair }: OlderSegment): keyof typeof AT_ONCE => {
      if (this.#known.has(nameOf(pair))) return 'known';
      return texts.has(idOf(pair.mine)) && texts.has(idOf(pair.theirs)) ? 'prepared' : 'unprepared';
    };
    const kind = kindOf(segments[from]!);
    const until = segments.findIndex((segment, i) => i > from && kindOf(segment) !== kind);
    const same = segments.slice(from, until === -1 ? undefined : until);
    return same.slice(0, AT_ONCE[kind]);
  }

  async #findIn(
    segments: OlderSegment[],
    words: string,
    texts: ReadonlyMap<string, StorageKey>,
  ): Promise<FoundInSegment[]> {
    const unknown = segments.filter(({ pair }) => !this.#known.has(nameOf(pair)));
    const prepared = await this.#loadTexts(
      unknown.map(({ pair }) => pair),
      texts,
    );
    const pairs = await Promise.all(
      segments.map(async ({ pair }) => {
        const name = nameOf(pair);
        if (this.#known.has(name)) return { name, saved: null };
        return { name, saved: prepared.get(pair) ?? (await this.#load(pair)) };
      }),
    );
    const here = pairs.filter(({ name, saved }) => saved || this.#known.has(name));
    const answers = here.length > 0 ? await this.#ask(here, words) : [];
    const byName = new Map(answers.map((answer, i) => [here[i]!.name, answer]));
    for (const [name, { isCached }] of byName) if (isCached) this.#known.add(name);
    return segments.flatMap((segment) => {
      const name = nameOf(segment.pair);
      const answer = byName.get(name);
      // Not searched: enough was found before.
      if (!answer && here.some((pair) => pair.name === name)) return [];
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

  /** Lists which texts are stored of documents as they are now, which of other states, and which documents are here. */
  async #listTexts(): Promise<ListedTexts> {
    const parts = new Map<string, StorageKey[]>();
    const texts: StorageKey[] = [];
    for (const key of (await this.#storage?.keys()) ?? []) {
      const [id = '', kind = ''] = key;
      if (kind.startsWith(ANY_TEXTS)) texts.push(key);
      if (!PARTS.has(kind)) continue;
      const known = parts.get(id);
      if (known) known.push(key);
      else parts.set(id, [key]);
    }
    const stamps = await Promise.all(
      texts.map(async ([id]) => (parts.has(id!) ? stampOf(parts.get(id!)!) : null)),
    );
    const isCurrent = (key: StorageKey, i: number) => key[1] === TEXTS && key[2] === stamps[i];
    return {
      current: new Map(texts.filter(isCurrent).map((key) => [key[0]!, key])),
      outdated: texts.filter((key, i) => !isCurrent(key, i)),
      here: new Set(parts.keys()),
    };
  }

  /** Reads the stored texts of pairs, all at once. Those of which any are missing are left out. */
  async #loadTexts(
    pairs: readonly SegmentPair[],
    texts: ReadonlyMap<string, StorageKey>,
  ): Promise<Map<SegmentPair, LoadedSegment[]>> {
    const wanted = pairs.flatMap((pair) => {
      const keys = [texts.get(idOf(pair.mine)), texts.get(idOf(pair.theirs))];
      return keys[0] && keys[1] ? [{ pair, keys: [keys[0], keys[1]] }] : [];
    });
    const all = (await this.#storage?.loadAll(wanted.flatMap(({ keys }) => keys))) ?? [];
    return new Map(
      wanted.flatMap(({ pair, keys }, i) => {
        const segments = keys.flatMap((key, side): LoadedSegment[] => {
          const data = all[2 * i + side];
          const url = side === 0 ? pair.mine : pair.theirs;
          return data ? [{ url, isOwn: side === 0, data, areTexts: true, key, outdated: [] }] : [];
        });
        return segments.length === keys.length ? [[pair, segments] as const] : [];
      }),
    );
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
        const all = chunks.filter((chunk) => chunk.key[1]?.startsWith(ANY_TEXTS));
        const texts = all.find((chunk) => chunk.key.join() === key.join())?.data;
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

const NO_TEXTS: ReadonlyMap<string, StorageKey> = new Map();

/** Either segment may be replaced without the other. */
const nameOf = ({ mine, theirs }: SegmentPair): string => `${mine} ${theirs}`;

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
