import { writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';

type Tags = Record<string, string>;

/** An object of a made extract. Ways and relations name nodes and ways by their ids. */
export type MadeObject =
  | { node: number; at: readonly [latitude: number, longitude: number]; tags?: Tags }
  | { way: number; refs: readonly number[]; tags?: Tags }
  | { relation: number; ways: readonly number[]; tags?: Tags };

/** Of a block, as in real files. */
const OBJECTS_EACH = 8_000;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, content: Buffer) =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
const packed = (field: number, values: readonly number[]) =>
  bytes(field, Buffer.concat(values.map(varint)));
const deltas = (values: readonly number[]): number[] =>
  values.map((value, at) => zigzag(value - (values[at - 1] ?? 0)));
const nano = (degrees: number): number => zigzag(Math.round(degrees * 1e7));

function blockOf(objects: readonly MadeObject[]): Buffer {
  const strings = new Map([['', 0]]);
  const indexOf = (text: string): number => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const tagged = (tags: Tags = {}) => [
    packed(2, Object.keys(tags).map(indexOf)),
    packed(3, Object.values(tags).map(indexOf)),
  ];
  const written = objects.map((object) => {
    if ('node' in object) {
      const [latitude, longitude] = object.at;
      const where = [number(8, nano(latitude)), number(9, nano(longitude))];
      return bytes(
        1,
        Buffer.concat([number(1, zigzag(object.node)), ...tagged(object.tags), ...where]),
      );
    }
    if ('way' in object)
      return bytes(
        3,
        Buffer.concat([
          number(1, object.way),
          ...tagged(object.tags),
          packed(8, deltas(object.refs)),
        ]),
      );
    const ways = object.ways;
    return bytes(
      4,
      Buffer.concat([
        number(1, object.relation),
        ...tagged({ type: 'multipolygon', ...object.tags }),
        packed(
          8,
          ways.map(() => indexOf('outer')),
        ),
        packed(9, deltas(ways)),
        packed(
          10,
          ways.map(() => 1),
        ),
      ]),
    );
  });
  const group = Buffer.concat(written);
  const table = Buffer.concat([...strings.keys()].map((text) => bytes(1, Buffer.from(text))));
  return Buffer.concat([bytes(1, table), bytes(2, group)]);
}

function blob(type: 'OSMHeader' | 'OSMData', content: Buffer): Buffer {
  const data = Buffer.concat([number(2, content.length), bytes(3, deflateSync(content))]);
  const header = Buffer.concat([bytes(1, Buffer.from(type)), number(3, data.length)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, data]);
}

/** Returns an OpenStreetMap extract in the Protocolbuffer format, with nodes first, then ways, then relations. */
function madeExtract(objects: readonly MadeObject[]): Buffer {
  const kinds = ['node', 'way', 'relation'] as const;
  const sorted = kinds.flatMap((kind) => objects.filter((object) => kind in object));
  const blocks = [blob('OSMHeader', bytes(4, Buffer.from('OsmSchema-V0.6')))];
  for (let at = 0; at < sorted.length; at += OBJECTS_EACH)
    blocks.push(blob('OSMData', blockOf(sorted.slice(at, at + OBJECTS_EACH))));
  return Buffer.concat(blocks);
}

export const writeExtract = (file: string, objects: readonly MadeObject[]): Promise<void> =>
  writeFile(file, madeExtract(objects));

/** The nodes and the way of a square area around a point. Ids from `id` to `id + 3` are its corners'. */
export function square(
  id: number,
  [latitude, longitude]: readonly [number, number],
  tags: Tags,
  half = 0.001,
): MadeObject[] {
  const corners = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ] as const;
  return [
    ...corners.map(([y, x], at) => ({ node: id + at, at: [latitude + y, longitude + x] as const })),
    { way: id, refs: [id, id + 1, id + 2, id + 3, id], tags },
  ];
}
