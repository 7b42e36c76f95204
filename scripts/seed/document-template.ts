import * as A from '@automerge/automerge';
import { createHash } from 'node:crypto';

/**
 * Documents by the hundred thousand: of those that differ in their texts alone, one is made by Automerge, and the others are
 * its bytes with other texts of the same length in them. What is saved is one change, whose hash is the document's head.
 */
export interface Saved {
  saved: Uint8Array;
  heads: string[];
}

/** A change in Automerge's format: magic, checksum, type, length, and what the hash is of from the type on. */
const CHECKSUM_AT = 4;
const HASHED_AT = 8;
const PLAIN_CHANGE = 1;
/** Shorter texts are no blanks: they might be found where they are not. */
const BLANK_MIN = 3;
const ID_LENGTH = 22;
const TRIES = 20;
const ACTOR_BYTES = 16;
/** Changes do not say when they were made. */
const TIME = 0;

type Value = null | number | boolean | A.ImmutableString | { [key: string]: Value };

interface Template {
  bytes: Buffer;
  actorAt: number;
  /** Where each blank is, every time it occurs. */
  places: number[][];
}

const templates = new Map<string, Template>();

/**
 * A document with this value, saved.
 * @param value texts, numbers, booleans and maps; keys that are ids are texts too
 * @param id which gives its author a name of its own in it
 * @throws where Automerge does not read what comes out as it was meant
 */
export function savedFrom(id: string, value: object): Saved {
  const texts: string[] = [];
  const shape = shapeOf(value as Value, texts);
  const actor = createHash('sha256').update(id).digest().subarray(0, ACTOR_BYTES);
  const known = templates.get(shape);
  const template = known ?? templateFor(value as Value, texts);
  const made = fill(template, actor, texts);
  if (!known) {
    prove(made, value);
    templates.set(shape, template);
  }
  return made;
}

/** What documents that share a template have in common. @param texts takes in the blanks, each text once */
function shapeOf(value: Value, texts: string[]): string {
  if (value instanceof A.ImmutableString) return blankOf(value.val, texts);
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${isIdKey(key) ? blankOf(key, texts) : key}:${shapeOf(inner, texts)}`)
    .join()}}`;
}

const isIdKey = (key: string) => key.length === ID_LENGTH;

/** Where a text occurs again, it is the same blank: Automerge writes what is equal in another way. */
function blankOf(text: string, texts: string[]): string {
  const bytes = Buffer.byteLength(text);
  if (bytes < BLANK_MIN) return JSON.stringify(text);
  let at = texts.indexOf(text);
  if (at < 0) at = texts.push(text) - 1;
  return `<${at}:${bytes}>`;
}

function templateFor(value: Value, texts: readonly string[]): Template {
  for (let tries = 0; tries < TRIES; tries++) {
    const blanks = texts.map((text, i) => blankText(Buffer.byteLength(text), i, tries));
    const instead = (text: string) => blanks[texts.indexOf(text)] ?? text;
    const actor = createHash('sha256').update(`actor ${tries}`).digest().subarray(0, ACTOR_BYTES);
    const bytes = changeWith(replaced(value, instead), actor);
    const actors = placesOf(bytes, actor);
    const places = blanks.map((blank) => placesOf(bytes, Buffer.from(blank)));
    const expected = blanks.map((_, i) => occurrencesOf(value, texts[i] ?? ''));
    const [actorAt] = actors;
    const isClear = places.every((those, i) => those.length > 0 && those.length <= expected[i]!);
    if (actorAt !== undefined && actors.length === 1 && isClear) return { bytes, actorAt, places };
  }
  throw new Error('no template can be made of this document');
}

/** A text of so many bytes that nothing else is like. */
function blankText(bytes: number, i: number, tries: number): string {
  const digest = createHash('sha256').update(`blank ${tries} ${i}`).digest('hex');
  return `\u007F${digest.repeat(Math.ceil(bytes / digest.length)).slice(0, bytes - 1)}`;
}

function replaced(value: Value, instead: (text: string) => string): Value {
  if (value instanceof A.ImmutableString) return new A.ImmutableString(instead(value.val));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      isIdKey(key) ? instead(key) : key,
      replaced(inner, instead),
    ]),
  );
}

function occurrencesOf(value: Value, text: string): number {
  if (value instanceof A.ImmutableString) return Number(value.val === text);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => sum + Number(key === text) + occurrencesOf(inner, text),
    0,
  );
}

function changeWith(value: Value, actor: Buffer): Buffer {
  const empty = A.init<Record<string, unknown>>({ actor: actor.toString('hex') });
  const document = A.change(empty, { time: TIME }, (draft) => {
    Object.assign(draft, value);
  });
  const change = Buffer.from(A.getLastLocalChange(document) ?? []);
  A.free(document);
  if (change[HASHED_AT] !== PLAIN_CHANGE) throw new Error('Automerge gave no plain change');
  return change;
}

function placesOf(bytes: Buffer, wanted: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}

function fill(
  { bytes, actorAt, places }: Template,
  actor: Buffer,
  texts: readonly string[],
): Saved {
  const saved = Buffer.from(bytes);
  actor.copy(saved, actorAt);
  for (const [i, text] of texts.entries()) for (const at of places[i] ?? []) saved.write(text, at);
  const hash = createHash('sha256').update(saved.subarray(HASHED_AT)).digest();
  hash.copy(saved, CHECKSUM_AT, 0, HASHED_AT - CHECKSUM_AT);
  return { saved, heads: [hash.toString('hex')] };
}

/** Loads the first of a kind, as the sync server does, and what that saves, too: nothing in it may be other than Automerge makes it. */
function prove({ saved, heads }: Saved, value: object): void {
  const once = A.load(saved);
  const again = A.load(A.save(once));
  const isSame =
    JSON.stringify(sorted(A.toJS(again))) === JSON.stringify(sorted(value)) &&
    A.getHeads(again).join() === heads.join();
  A.free(once);
  A.free(again);
  if (!isSame) throw new Error('Automerge does not read what was made of a template');
}

function sorted(value: unknown): unknown {
  if (value instanceof A.ImmutableString) return value.val;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
