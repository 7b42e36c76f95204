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

/**
 * The maximum number of cached characters of texts that were searched, with those that are compared: 20 to 40 MB, about 150,000
 * messages.
 */
const CACHED_CHARACTERS_MAX = 20_000_000;

/** A message with its text as searches compare it. */
interface Searched {
  message: MessageText;
  compared: string;
}

type StoredText = [key: string, text: string, at: string];

/** Searches saved segments. Automerge takes a phone 0.1 s to read a long one, so its texts are stored once they are read. */
export class SegmentSearch {
  readonly #cached = new Map<string, Searched[]>();
  #characters = 0;

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
      const searched = this.#cached.get(name) ?? (saved && readPair(saved, texts));
      if (!searched) return { found: null, isCached: false, texts };
      if (words === '') return { found: [], isCached: false, texts };
      this.#cache(name, searched);
      const found = searched.filter(({ compared }) => compared.includes(words));
      const isCached = this.#cached.has(name);
      return { found: found.map(({ message }) => message), isCached, texts };
    } catch (error) {
      console.warn('Failed to read a thread segment', error);
      return { found: null, isCached: false, texts: [] };
    }
  }

  #cache(name: string, searched: Searched[]): void {
    if (this.#cached.has(name)) return;
    const length = searched.reduce(
      (sum, { message, compared }) => sum + message.text.length + compared.length,
      0,
    );
    if (this.#characters + length > CACHED_CHARACTERS_MAX) return;
    this.#characters += length;
    this.#cached.set(name, searched);
  }
}

/** @param texts receives those of segments that Automerge read */
function readPair(
  saved: readonly SavedSegment[],
  texts: { url: string; data: Uint8Array }[],
): Searched[] | null {
  const all: Searched[] = [];
  for (const { url, isOwn, data, areTexts } of saved) {
    const stored = areTexts ? readTexts(data) : readSaved(data);
    if (!stored) return null;
    if (!areTexts) texts.push({ url, data: writeTexts(stored) });
    for (const [key, text, at] of stored)
      all.push({
        message: { id: messageId(url, key), text, at, isOwn },
        compared: searchText(text),
      });
  }
  return all;
}

function readSaved(data: Uint8Array): StoredText[] | null {
  // Three times as fast as the Repo's way of loading, which lists all changes first.
  const doc = A.load<SegmentDocument>(data, { allowMissingChanges: true });
  // A document is empty before its first change arrives.
  const segment = 'kind' in doc ? readSegment(doc) : null;
  A.free(doc);
  return segment && segment.messages.map(({ key, text, at }) => [key, text, at]);
}

const writeTexts = (texts: readonly StoredText[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(texts));

const readTexts = (data: Uint8Array): StoredText[] =>
  JSON.parse(new TextDecoder().decode(data)) as StoredText[];
