import * as A from '@automerge/automerge/slim';
import { messageId, readSegment, type SegmentDocument } from '#shared/chat/document.ts';
import { FOUND_MAX } from '#shared/chat/rules.ts';
import { searchText } from '#shared/normalization/search-text.ts';
import type { MessageText } from '../types.ts';

/** What is stored of one author's segment. */
export interface SavedSegment {
  url: string;
  isOwn: boolean;
  /** As Automerge saved it, or its texts (`writeTexts`). */
  data: Uint8Array;
  areTexts: boolean;
}

/** Segments that belong together. */
export interface SavedPair {
  /** Identifies these segments in further searches. */
  name: string;
  /** Null where they were sent before and are still cached. */
  saved: readonly SavedSegment[] | null;
}

export interface SegmentsQuery {
  /** The most important first. */
  pairs: readonly SavedPair[];
  /** Normalized; empty only reads the texts. */
  words: string;
}

/** Of one pair. */
export interface PairAnswer {
  /** In no order; null where a segment cannot be read. */
  found: MessageText[] | null;
  /** Whether the texts are cached, so that another search needs no data. */
  isCached: boolean;
  /** The texts of segments that Automerge had to read, to be stored. */
  texts: readonly { url: string; data: Uint8Array }[];
}

/** In the order of the pairs, until enough is found. */
export type SegmentsAnswer = PairAnswer[];

/** The maximum size of the cached texts: about 150,000 messages. */
const CACHED_BYTES_MAX = 30_000_000;

/** The texts of one author's segment. */
interface SegmentTexts {
  url: string;
  isOwn: boolean;
  /** As searches compare them, each followed by `END`. */
  compared: string;
  /** `StoredText[]` as JSON: needed only where something is found. */
  rows: Uint8Array;
}

type StoredText = [key: string, text: string, at: string];

/** In no text: Unicode guarantees that it is no character. */
const END = '\uffff';
/** At the start of stored texts: how many bytes are compared. */
const HEAD_BYTES = 4;

/**
 * Searches saved segments. Automerge takes a phone 0.1 s to read a long one, and normalizing its texts as long as searching a
 * hundred, so both are stored once they are read.
 */
export class SegmentSearch {
  readonly #cached = new Map<string, SegmentTexts[]>();
  #bytes = 0;

  find({ pairs, words }: SegmentsQuery): SegmentsAnswer {
    const answers: SegmentsAnswer = [];
    let count = 0;
    for (const pair of pairs) {
      if (words !== '' && count >= FOUND_MAX) break;
      const answer = this.#findIn(pair, words);
      count += answer.found?.length ?? 0;
      answers.push(answer);
    }
    return answers;
  }

  #findIn({ name, saved }: SavedPair, words: string): PairAnswer {
    const texts: { url: string; data: Uint8Array }[] = [];
    try {
      const segments = this.#cached.get(name) ?? (saved && readPair(saved, texts));
      if (!segments) return { found: null, isCached: false, texts };
      if (words === '') return { found: [], isCached: false, texts };
      this.#cache(name, segments);
      const found = segments.flatMap((segment) => messagesWith(words, segment));
      return { found, isCached: this.#cached.has(name), texts };
    } catch (error) {
      console.warn('Failed to read a thread segment', error);
      return { found: null, isCached: false, texts: [] };
    }
  }

  #cache(name: string, segments: SegmentTexts[]): void {
    if (this.#cached.has(name)) return;
    const bytes = segments.reduce(
      (sum, { compared, rows }) => sum + compared.length + rows.length,
      0,
    );
    if (this.#bytes + bytes > CACHED_BYTES_MAX) return;
    this.#bytes += bytes;
    this.#cached.set(name, segments);
  }
}

/** @param texts receives those of segments that Automerge read */
function readPair(
  saved: readonly SavedSegment[],
  texts: { url: string; data: Uint8Array }[],
): SegmentTexts[] | null {
  const all: SegmentTexts[] = [];
  for (const { url, isOwn, data, areTexts } of saved) {
    const stored = areTexts ? data : readSaved(data);
    if (!stored) return null;
    if (!areTexts) texts.push({ url, data: stored });
    all.push({ url, isOwn, ...readTexts(stored) });
  }
  return all;
}

/** Returns the texts of a document, as they are stored; null before its first change has arrived. */
function readSaved(data: Uint8Array): Uint8Array | null {
  // Three times as fast as the Repo's way of loading, which lists all changes first.
  const doc = A.load<SegmentDocument>(data, { allowMissingChanges: true });
  const segment = 'kind' in doc ? readSegment(doc) : null;
  A.free(doc);
  return segment && writeTexts(segment.messages.map(({ key, text, at }) => [key, text, at]));
}

function writeTexts(texts: readonly StoredText[]): Uint8Array {
  const encoder = new TextEncoder();
  const compared = texts.map(([, text]) => searchText(text).replaceAll(END, '') + END).join('');
  const [first, rows] = [encoder.encode(compared), encoder.encode(JSON.stringify(texts))];
  const data = new Uint8Array(HEAD_BYTES + first.length + rows.length);
  new DataView(data.buffer).setUint32(0, first.length);
  data.set(first, HEAD_BYTES);
  data.set(rows, HEAD_BYTES + first.length);
  return data;
}

function readTexts(data: Uint8Array): Pick<SegmentTexts, 'compared' | 'rows'> {
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0);
  const end = HEAD_BYTES + length;
  const compared = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    data.subarray(HEAD_BYTES, end),
  );
  return { compared, rows: data.subarray(end) };
}

function messagesWith(words: string, { url, isOwn, compared, rows }: SegmentTexts): MessageText[] {
  if (!compared.includes(words)) return [];
  const texts = JSON.parse(new TextDecoder().decode(rows)) as StoredText[];
  const isFound = compared.split(END).map((text) => text.includes(words));
  return texts
    .filter((_, i) => isFound[i])
    .map(([key, text, at]) => ({ id: messageId(url, key), text, at, isOwn }));
}
