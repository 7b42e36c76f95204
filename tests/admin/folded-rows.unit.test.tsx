// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { Rows, type Column } from '../../client/platform/admin/list/rows.tsx';
import { renderScreen } from '../render-screen.tsx';

interface Person {
  id: string;
  name: string;
  email: string;
  joined: string;
  visits: number;
}
const SAM = { id: 'sam', name: 'Sam', email: 'sam@example.com', joined: 'Nov 29', visits: 2 };
const NAME = { name: 'Person', cell: ({ name }: Person) => name };
const JOINED = { name: 'Joined', cell: ({ joined }: Person) => joined };
const VISITS = { name: 'Visits', cell: ({ visits }: Person) => visits, isFigure: true };

test.each<[string, readonly Column<Person>[], string]>([
  ['a value', [NAME, JOINED, VISITS], 'Nov 29 · Visits: 2'],
  [
    'a figure, which says nothing without its name',
    [NAME, VISITS, JOINED],
    'Visits: 2 · Joined: Nov 29',
  ],
  [
    'what tells rows of one name apart',
    [{ ...NAME, brief: ({ email }) => email }, JOINED],
    'sam@example.com · Joined: Nov 29',
  ],
])('the second line of a row on a phone begins with %s', async (_, columns, words) => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  await renderScreen(
    <Rows label="People" rows={[SAM]} columns={columns} nameOf={({ name }) => name} />,
  );
  expect(document.querySelector('li p')?.textContent).toBe(words);
});
