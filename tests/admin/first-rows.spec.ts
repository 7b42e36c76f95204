import { expect, test } from '../browser.ts';
import { fillLists, LISTS } from './fill-lists.ts';

/** The first row of each list begins above this on a phone of 360 × 740, so that it can be read without scrolling. */
const FOLD = 400;
/** A row has two lines until it is opened. */
const TWO_LINES = 72;

const FAILED = {
  messages: [
    {
      id: 'referrals/a',
      channel: 'email',
      attempts: 9,
      error_code: '550',
      created_at: '2026-11-20T10:00:00.000Z',
      failed_at: '2026-11-21T10:00:00.000Z',
    },
  ],
  total: 1,
  total_is_capped: false,
  first: 1,
  next_cursor: null,
  previous_cursor: null,
};

test('the first row of every list of the panel is in view on a phone, in two lines', async ({
  owner,
  device,
  admin,
  origin,
}) => {
  const ann = await owner({ name: 'Ann' });
  await fillLists({ origin, admin, ann, wolf: await owner({ name: 'Wolf' }) });
  const { page } = await device({ email: 'admin@example.com' });
  await page.route('**/api/admin/failed-messages*', (route) => route.fulfill({ json: FAILED }));
  await page.setViewportSize({ width: 360, height: 740 });
  const tops: Record<string, number | undefined> = {};
  const heights: Record<string, number | undefined> = {};
  for (const [address, name] of LISTS) {
    await page.goto(`/admin?${address}`);
    const row = page.getByRole('list', { name, exact: true }).getByRole('listitem').first();
    await expect(row).toBeVisible();
    const box = await row.boundingBox();
    tops[address] = box?.y;
    heights[address] = box?.height;
  }
  expect(Object.entries(tops).filter(([, top]) => !top || top >= FOLD)).toEqual([]);
  expect(Object.entries(heights).filter(([, height]) => !height || height > TWO_LINES)).toEqual([]);
});
