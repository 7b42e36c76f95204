import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** docs/privacy.md, with each item of a list in one line. */
const text = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8').replaceAll(
  /\n {2}(?=\S)/g,
  ' ',
);
const sectionOf = (title: string) => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const itemsOf = (title: string) =>
  sectionOf(title)
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));

/** `name`: what · who sees it · stored · deleted by */
export const PERSONAL_COLLECTIONS = itemsOf('Collections').map((item) => {
  const [, collection = '', rest = ''] = /^`([\w.]+)`: (.*)$/.exec(item) ?? [];
  const [data = '', seen = '', retention = '', removedBy = ''] = rest.split(' · ');
  return { collection, data, seen, retention, removedBy };
});

export const OTHER_COLLECTIONS = [
  ...(/^Without personal data[\s\S]*?\.\s/m
    .exec(sectionOf('Collections'))?.[0]
    .matchAll(/`([\w.]+)`/g) ?? []),
].map(([, name = '']) => name);

/** The fields of the section about other people, by lists after their precision. */
export const SHARED_FIELDS = itemsOf('Times and counts that another person sees').flatMap((item) =>
  (item.split(/: (?=[a-z_.-]+(?:,|$))/)[1] ?? '').split(', '),
);

/** An item about what is stored elsewhere: what, and how long. */
export function storedElsewhere(start: string): string {
  const item = itemsOf('Outside the database').find((line) => line.startsWith(start)) ?? '';
  return item.slice(item.indexOf(' · '));
}
