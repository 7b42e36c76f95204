import type { Locator, Page } from '@playwright/test';
import { createHazard } from '#shared/hazards/contract.ts';
import type { Place } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { expect, expectAccessible, type Owner, position, screenHeading, test } from '../browser.ts';
import { waitForTapGuard } from '../http/tap-helpers.ts';
import { actionsOf, record, spokenBy } from './recording.ts';

/** Whether a tap where a warning has just appeared reaches what was there before. */
const tapsPass = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const observer = new MutationObserver(() => {
          const alert = document.querySelector('[aria-label="Dog nearby"]');
          if (!alert) return;
          observer.disconnect();
          requestAnimationFrame(() => {
            const { left, top, width, height } = alert.getBoundingClientRect();
            const tapped = document.elementFromPoint(left + width / 2, top + height - 20);
            resolve(tapped !== null && !alert.contains(tapped));
          });
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
  );

const METRES_PER_DEGREE = 111_320;
const first = -50 + Math.random() * 100;
let parks = 0;
/** Coordinates that no other test uses. */
const park = (): Place => ({ latitude: first + parks++ * 0.05, longitude: -74 });
const north = (place: Place, metres: number): Place => ({
  ...place,
  latitude: place.latitude + metres / METRES_PER_DEGREE,
});

const rex = { name: 'Rex', sound_type: 'leash_on' } as const;
const max = { name: 'Max', sound_type: 'leash_on' } as const;
const bella = { name: 'Bella', sound_type: 'leash_off' } as const;

const warning = (page: Page) => page.getByRole('region', { name: 'Dog nearby' });
/** The warnings that were acknowledged. */
const pill = (page: Page) => page.getByRole('region', { name: 'Dogs around you' });
const nearby = (page: Page) => page.getByRole('region', { name: 'Nearby Users' });
const sharing = (page: Page) => page.getByRole('region', { name: 'Location sharing' });

/** Opens the dashboard, waits until warnings work and turns sound on with a tap on the heading. */
async function walk({ page }: Owner) {
  await page.goto('/home');
  await expect(sharing(page)).toContainText('Location tracking active');
  await screenHeading(page).click();
}

test('two approaching owners are each warned of the other’s dog once, and a friendly dog is urgent for one whose dog needs space', async ({
  owner,
}) => {
  const here = park();
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: here });
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: north(here, 60) });
  for (const { context } of [sam, ana]) await record(context);
  await walk(sam);
  await walk(ana);
  await expect(nearby(ana.page)).toContainText('No one within 100 feet');

  await position(ana.context, north(here, 24));

  await expect(warning(ana.page)).toContainText('Rex needs space');
  await expect(warning(ana.page)).toContainText('80 ft with Sam');
  await expect(warning(ana.page)).toContainText('Leash your dog and give Rex room.');
  // His dog needs space, so a friendly dog is urgent for him.
  await expect(warning(sam.page)).toContainText('Bella may be off leash');
  await expect(warning(sam.page)).toContainText('with Ana');
  await expect(warning(sam.page)).toContainText('Give your dog room.');
  await expect(nearby(ana.page)).toContainText('80 feet');

  await expect.poll(() => spokenBy(ana.page)).toHaveLength(1);
  await expect.poll(() => spokenBy(sam.page)).toHaveLength(1);
  const hers = await actionsOf(ana.page);
  expect(hers.find((action) => action.what === 'speak')).toMatchObject({
    text: 'Rex needs space. Sam is 80 feet away. Leash your dog and give Rex room.',
    rate: 0.8,
    pitch: 0.6,
    volume: 0.8,
  });
  expect(hers).toContainEqual(
    expect.objectContaining({ what: 'vibrate', pattern: [200, 100, 200, 100, 200, 100, 400] }),
  );
  expect(hers).toContainEqual(
    expect.objectContaining({ what: 'notify', title: 'HIGH: Rex needs space', isUrgent: true }),
  );
  expect(hers).toContainEqual(expect.objectContaining({ what: 'tone', hertz: [800, 600, 800] }));

  const his = await actionsOf(sam.page);
  expect(his.find((action) => action.what === 'speak')).toMatchObject({
    text: expect.stringMatching(
      /^Bella may be off leash\. Ana is \d+ feet away\. Give your dog room\.$/,
    ),
    rate: 0.8,
    pitch: 0.6,
  });
  expect(his).toContainEqual(
    expect.objectContaining({
      what: 'notify',
      title: 'HIGH: Bella may be off leash',
      isUrgent: true,
    }),
  );
  expect(his).toContainEqual(expect.objectContaining({ what: 'tone', hertz: [800, 600, 800] }));
  expect(JSON.stringify(his)).not.toContain('play');

  // Both received an event and a response.
  await position(ana.context, north(here, 16));
  await expect(warning(ana.page)).toContainText('60 ft');
  await expect(warning(sam.page)).toContainText('60 ft');
  expect(await spokenBy(ana.page)).toHaveLength(1);
  expect(await spokenBy(sam.page)).toHaveLength(1);

  // The warning ends when they part.
  await position(ana.context, north(here, 400));
  await expect(warning(ana.page)).toBeHidden({ timeout: 45_000 });
  await expect(nearby(ana.page)).toContainText('No one within 100 feet');
});

test('an acknowledged warning stays in a pill, keeps the focus, speaks again at half the distance, and can be silenced for the walk', async ({
  owner,
}) => {
  const here = park();
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: north(here, 24) });
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: here });
  await record(ana.context);
  await walk(ana);
  await walk(sam);
  await expect(warning(ana.page)).toContainText('Rex needs space');
  await expect.poll(() => spokenBy(ana.page)).toHaveLength(1);
  await warning(ana.page).getByRole('button', { name: 'Got it' }).click();
  await expect(warning(ana.page)).toBeHidden();
  await expect(pill(ana.page)).toContainText('80 ft');
  await expectAccessible(ana.page);
  const folded = pill(ana.page).getByRole('button', { name: /Rex needs space.*show the warning/ });
  await folded.focus();
  await ana.page.keyboard.press('Enter');
  await expect(warning(ana.page).getByRole('button', { name: 'Got it' })).toBeFocused();
  await ana.page.keyboard.press('Enter');
  await expect(folded).toBeFocused();
  await ana.page.getByRole('link', { name: 'You', exact: true }).click();
  await ana.page.getByRole('link', { name: /^Settings/ }).click();
  await expect(ana.page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(pill(ana.page)).toContainText('Rex needs space');

  await position(ana.context, north(here, 12));
  await expect(warning(ana.page)).toContainText('40 ft');
  await expect(pill(ana.page)).toBeHidden();
  await expect.poll(() => spokenBy(ana.page)).toHaveLength(2);
  expect((await spokenBy(ana.page))[1]).toMatch(/^Rex needs space, now 40 feet away/);

  await warning(ana.page).getByRole('button', { name: 'Silence Sam for this walk' }).click();
  await expect(warning(ana.page)).toBeHidden();
  await expect(pill(ana.page)).toContainText('silenced');
  await ana.page.goto('/home');
  await expect(nearby(ana.page)).toContainText('Sam');
  await expect(pill(ana.page)).toContainText('silenced');
  await expect(warning(ana.page)).toBeHidden();
  expect(await spokenBy(ana.page)).toEqual([]);

  // Of several people, two are shown, and the others on request.
  for (const name of ['Kim', 'Lou']) {
    const { call } = await owner({
      name,
      dogs: [{ ...rex, name: `Dog of ${name}` }],
      sharing: true,
    });
    await call(reportLocation, { body: { ...north(here, 14), accuracy: 5 } });
  }
  const gotIt = warning(ana.page).getByRole('button', { name: 'Got it' });
  await expect(async () => {
    if (await gotIt.isVisible()) await gotIt.click({ timeout: 1000 });
    await expect(pill(ana.page)).toContainText('and 1 more', { timeout: 1000 });
    await expect(warning(ana.page)).toBeHidden({ timeout: 1000 });
  }).toPass();
  await expect(pill(ana.page).getByRole('listitem')).toHaveCount(2);
  await pill(ana.page).getByRole('button', { name: 'and 1 more' }).click();
  await expect(pill(ana.page).getByRole('listitem')).toHaveCount(3);
  await expect(pill(ana.page)).toContainText('Dog of Lou needs space');
});

test('asks before a walk which dogs come along, remembers it, and judges by these on both sides', async ({
  owner,
}) => {
  const here = park();
  const kit = { name: 'Kit', sound_type: 'leash_off' } as const;
  const sam = await owner({ name: 'Sam', dogs: [rex, kit], at: here });
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: north(here, 24) });
  await record(sam.context);
  await walk(ana);
  await expect(sharing(ana.page).getByRole('group')).toBeHidden();
  await sam.page.goto('/home');
  const along = (dog: string) => sharing(sam.page).getByRole('button', { name: dog });
  for (const dog of ['Rex', 'Kit'])
    await expect(along(dog)).toHaveAttribute('aria-pressed', 'true');
  await along('Rex').click();
  await expect(along('Rex')).toHaveAttribute('aria-pressed', 'false');
  await expectAccessible(sam.page);
  await sharing(sam.page).getByRole('button', { name: 'Start walk' }).click();

  await expect(warning(sam.page)).toContainText('Bella is friendly');
  await expect(warning(ana.page)).toContainText('Kit is friendly');
  await expect(nearby(ana.page)).not.toContainText('Rex');
  for (const { page } of [sam, ana])
    await warning(page).getByRole('button', { name: 'Got it' }).click();

  // He meets his other half, who brings Rex.
  await along('Rex').click();
  await expect(warning(sam.page)).toContainText('Bella may be off leash');
  await expect(warning(ana.page)).toContainText('Rex needs space');
  await warning(sam.page).getByRole('button', { name: 'Got it' }).click();
  await along('Kit').click();
  await expect(nearby(ana.page)).not.toContainText('Kit');
  await sharing(sam.page).getByRole('button', { name: 'End walk' }).click();
  await sam.page.goto('/home');
  await expect(along('Rex')).toHaveAttribute('aria-pressed', 'true');
  await expect(along('Kit')).toHaveAttribute('aria-pressed', 'false');
});

test('dismissing a warning keeps the list, and turning sharing off clears the list and deletes the position', async ({
  owner,
}) => {
  const here = park();
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here });
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: north(here, 20) });
  await record(ana.context);
  await walk(ana);
  const passesTaps = tapsPass(ana.page);
  await walk(sam);
  await expect(nearby(sam.page)).toContainText('Ana');
  // The warning covers the navigation, at which an early tap was aimed.
  expect(await passesTaps).toBe(true);
  await expect(warning(ana.page)).toBeVisible();
  await warning(ana.page).getByRole('button', { name: 'Got it' }).click();
  await expect(warning(ana.page)).toBeHidden();
  await expect(nearby(ana.page)).toContainText('Sam');
  await nearby(ana.page).getByRole('button', { name: 'Play the sound of Rex' }).click();
  await expect(warning(ana.page)).toBeHidden();

  const dropped = ana.page.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().includes('/api/location'),
  );
  await sharing(ana.page).getByRole('button', { name: 'End walk' }).click();
  await dropped;
  await expect(ana.page).toHaveURL(/\/walks\//);
  await ana.page.goto('/home');
  await expect(sharing(ana.page)).toContainText('Location sharing is off');
  await expect(nearby(ana.page)).toContainText('Start a walk to see who’s nearby.');
  await sharing(ana.page).getByRole('button', { name: 'Start walk' }).click();
  await expect(sharing(ana.page)).toContainText('Location tracking active');
});

test('one of two tabs speaks, both show the warning, and the other takes over', async ({
  owner,
}) => {
  const here = park();
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here });
  await record(ana.context);
  await walk(ana);
  const second = await ana.context.newPage();
  await second.goto('/home');
  await expect(sharing(second)).toContainText('Another of your tabs speaks the warnings');
  await screenHeading(second).click();

  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: north(here, 20) });
  await walk(sam);
  await expect(warning(ana.page)).toContainText('Rex needs space');
  await expect(warning(second)).toContainText('Rex needs space');
  await expect.poll(() => spokenBy(ana.page)).toHaveLength(1);
  expect(await actionsOf(second)).toEqual([]);

  // An interrupted announcement would be repeated.
  await expect.poll(() => ana.page.evaluate(() => speechSynthesis.speaking)).toBe(false);
  await ana.page.close();
  await expect(sharing(second)).not.toContainText('another of your tabs');
  await expect(sharing(second)).toContainText('Location tracking active');
  await expect(warning(second)).toContainText('Rex needs space');
  expect(await spokenBy(second)).toEqual([]);

  const kim = await owner({ name: 'Kim', dogs: [max], sharing: true, at: north(here, 10) });
  await walk(kim);
  await expect.poll(() => spokenBy(second), { timeout: 30_000 }).toHaveLength(1);
  expect((await spokenBy(second))[0]).toContain('Max needs space. Kim');
});

test('with sound blocked, a warning is shown, vibrates and notifies, and one tap turns sound on', async ({
  owner,
}) => {
  const here = park();
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here });
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: north(here, 20) });
  await record(ana.context);
  await ana.page.goto('/settings');
  const silent = ana.page.getByText('Warnings are silent in this tab until you tap it.');
  await expect(silent).toBeVisible();
  await ana.page.getByRole('heading', { name: 'Settings' }).click();
  await expect(silent).toBeHidden();
  await ana.page.goto('/home');
  await expect(sharing(ana.page)).toContainText('Sound is blocked.');
  await walk(sam);

  await expect(warning(ana.page)).toContainText('Rex needs space');
  await expect
    .poll(async () => (await actionsOf(ana.page)).map(({ what }) => what).toSorted())
    .toEqual(['notify', 'vibrate']);

  await warning(ana.page).getByRole('button', { name: 'Sound on' }).click();
  await expect(sharing(ana.page).getByText(/Sound is blocked/)).toBeHidden();
  await expect(sharing(ana.page).getByText(/Sound is on/)).toBeVisible();
  await nearby(ana.page).getByRole('button', { name: 'Play the sound of Rex' }).click();
  await expect
    .poll(() => actionsOf(ana.page))
    .toContainEqual(expect.objectContaining({ what: 'tone', hertz: [800, 600, 800] }));
});

test('announces the dogs of one owner with those that need space first, accessibly and by keyboard', async ({
  owner,
}) => {
  const here = park();
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here });
  const sam = await owner({
    name: 'Sam',
    dogs: [bella, rex, max],
    sharing: true,
    at: north(here, 20),
  });
  await record(ana.context);
  await walk(ana);
  // A dialog traps the focus, but the warning stays reachable.
  await ana.page.getByRole('link', { name: 'Add Dog' }).first().click();
  const dialog = ana.page.getByRole('dialog', { name: 'Add Dog' });
  await walk(sam);
  await expect(warning(ana.page)).toContainText('Rex and Max need space');
  await expect(warning(ana.page)).toContainText('Bella: friendly');
  await expect(ana.page.locator('[aria-live=assertive]').first()).toContainText(
    'Rex and Max need space. Sam is near. Leash your dog and give them room.',
  );
  await expectAccessible(ana.page);
  await expect.poll(() => spokenBy(ana.page), { timeout: 30_000 }).toHaveLength(2);
  expect((await spokenBy(ana.page))[0]).toBe(
    'Rex and Max need space. Sam is 70 feet away. Leash your dog and give them room.',
  );
  // The last one is about a friendly dog, without a beep.
  const heard = await actionsOf(ana.page);
  expect(heard.findLast((action) => action.what === 'speak')).toMatchObject({
    text: 'Bella is friendly. Sam is 70 feet away. Leash your dog and give them room.',
    rate: 1.2,
    pitch: 1,
  });
  expect(heard.filter((action) => action.what === 'tone' && action.hertz[0] === 800)).toHaveLength(
    2,
  );
  await expect
    .poll(() => actionsOf(ana.page))
    .toContainEqual(expect.objectContaining({ what: 'vibrate', pattern: [100, 50, 100] }));
  expect(heard).toContainEqual(
    expect.objectContaining({ what: 'notify', title: 'Bella is friendly', isUrgent: false }),
  );
  const gotIt = warning(ana.page).getByRole('button', { name: 'Got it' });
  await dialog.getByRole('button', { name: 'Cancel' }).focus();
  await expect(async () => {
    await ana.page.keyboard.press('Tab');
    await expect(gotIt).toBeFocused({ timeout: 200 });
  }).toPass();
  await ana.page.keyboard.press('Enter');
  await expect(warning(ana.page)).toBeHidden();
  await expect(dialog).toBeVisible();
});

/** Whether one element covers a part of another one. */
async function overlaps(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) throw new Error('an element is not visible');
  const isBeside = a.x + a.width <= b.x || b.x + b.width <= a.x;
  return !isBeside && a.y < b.y + b.height && b.y < a.y + a.height;
}

test('a warning leaves the buttons of an open dialog in view, and Escape acknowledges it before it closes the dialog', async ({
  owner,
}) => {
  const here = park();
  const PHONE = { viewport: { width: 360, height: 740 } };
  const { page } = await owner({ dogs: [bella], sharing: true, at: here, context: PHONE });
  const ana = await owner({ name: 'Ana', dogs: [rex], sharing: true });
  await page.goto('/dogs');
  await page.getByRole('button', { name: 'Edit Bella' }).click();
  await page.getByRole('button', { name: 'Delete Bella' }).click();
  const question = page.getByRole('dialog', { name: /^Are you sure/ });
  await expect(question).toBeVisible();
  await ana.call(reportLocation, { body: { ...north(here, 20), accuracy: 5 } });
  await expect(warning(page)).toContainText('Rex needs space');
  await waitForTapGuard(page);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Keep' }).click();
  await expect(question).toBeHidden();
  await expect(warning(page)).toBeVisible();
  const editing = page.getByRole('dialog', { name: 'Edit Bella' });
  await editing.getByRole('button', { name: 'Cancel' }).click();
  await expect(editing).toBeHidden();

  await page.getByRole('link', { name: 'Add Dog' }).click();
  const form = page.getByRole('dialog', { name: 'Add Dog' });
  const name = form.getByLabel('Dog name');
  await name.fill('Juno');
  await name.press('Escape');
  await expect(warning(page)).toBeHidden();
  await expect(pill(page)).toContainText('Rex needs space');
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Juno');
  const close = form.getByRole('button', { name: 'Close' });
  for (const width of [360, 700, 1024, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(() => overlaps(pill(page).getByRole('listitem'), close)).toBe(false);
  }
  await page.setViewportSize(PHONE.viewport);

  // A second warning doesn't hide the first, which was acknowledged, and a toast hides neither.
  const kim = await owner({ name: 'Kim', dogs: [max], sharing: true });
  await kim.call(reportLocation, { body: { ...north(here, 24), accuracy: 5 } });
  await expect(warning(page)).toContainText('Max needs space');
  await expect(warning(page).getByText('Rex needs space')).toBeInViewport({ ratio: 1 });
  await kim.call(createHazard, { body: { kind: 'glass', ...north(here, 30) } });
  const toast = page.getByRole('listitem').filter({ hasText: 'Nearby: Broken glass' });
  await expect(toast).toBeInViewport({ ratio: 1 });
  await expect.poll(() => overlaps(toast, warning(page))).toBe(false);
  await expectAccessible(page);
  await toast.getByRole('button', { name: 'Show' }).click({ trial: true });
  await warning(page).getByRole('button', { name: 'Got it' }).click();
  const row = pill(page).getByRole('button', { name: /and 1 more/ });
  await expect.poll(() => overlaps(toast, row)).toBe(false);
  const title = form.getByRole('heading', { name: 'Add Dog' });
  for (const height of [740, 560, 360]) {
    await page.setViewportSize({ width: 360, height });
    await expect.poll(() => overlaps(pill(page), title)).toBe(false);
  }
  await row.click();
  await expect(pill(page).getByRole('listitem')).toHaveCount(2);
  await pill(page).getByRole('button', { name: 'Show fewer' }).click();
  await name.press('Escape');
  await expect(form).toBeHidden();
});

test('two people who meet become friends from the warning, also after it was acknowledged, when both want it', async ({
  owner,
}) => {
  const here = park();
  const milo = { name: 'Milo', sound_type: 'leash_off' } as const;
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here });
  const sam = await owner({ name: 'Sam', dogs: [milo], sharing: true, at: north(here, 20) });
  await ana.page.setViewportSize({ width: 360, height: 740 });
  await walk(ana);
  await walk(sam);
  await expect(warning(ana.page)).toBeVisible();
  await expect(warning(sam.page)).toBeVisible();
  const hello = warning(ana.page).getByRole('button', { name: /say hello/ });
  await expect(hello).toHaveText('Say hello');
  const lines = (button: HTMLElement) => {
    const text = document.createRange();
    text.selectNodeContents(button.lastChild!);
    return text.getClientRects().length;
  };
  expect(await hello.evaluate(lines)).toBe(1);
  await warning(ana.page).getByRole('button', { name: 'Add Sam as a friend' }).click();
  await expect(warning(ana.page)).toContainText('Friend request pending');
  await expectAccessible(ana.page);
  await expect(
    warning(sam.page).getByRole('button', { name: 'Ana wants to be friends: accept' }),
  ).toBeVisible();
  await warning(sam.page).getByRole('button', { name: 'Got it' }).click();
  await pill(sam.page)
    .getByRole('button', { name: /show the warning/ })
    .click();
  await warning(sam.page).getByRole('button', { name: 'Ana wants to be friends: accept' }).click();
  await expect(sam.page.getByText('You and Ana are friends')).toBeVisible();
  // From a warning to writing: Ana's two taps and Sam's one.
  await warning(ana.page).getByRole('link', { name: 'Message Sam' }).click();
  await expect(ana.page.getByLabel('Message to Sam')).toBeVisible();
});

test('what the other walker answers changes the advice, comes first in the pill, and can be changed', async ({
  owner,
}) => {
  const here = park();
  const PHONE = { viewport: { width: 360, height: 740 } };
  const at = north(here, 20);
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here, context: PHONE });
  const sam = await owner({ name: 'Sam', dogs: [rex, max], sharing: true, at, context: PHONE });
  await walk(ana);
  await walk(sam);
  await expect(warning(ana.page)).toContainText('Rex and Max need space');
  await warning(sam.page).getByRole('button', { name: 'I’ll cross' }).click();
  await expect(warning(sam.page)).toContainText('You said “I’ll cross”');
  await expect(warning(ana.page)).toContainText('“I’ll cross”Stay on your side.');
  // Nobody is interrupted by what screen readers are told politely.
  await expect(ana.page.locator('[aria-live=assertive]', { hasText: 'need space' })).toContainText(
    'Leash your dog and give them room.',
  );
  await expectAccessible(ana.page);
  // As loud in the dark as in the light: white on red.
  await ana.page.emulateMedia({ colorScheme: 'dark' });
  await expect(warning(ana.page).getByText('Rex and Max')).toHaveCSS('color', 'rgb(255, 255, 255)');
  await expectAccessible(ana.page);
  await ana.page.emulateMedia({ colorScheme: 'light' });
  // Above a keyboard.
  await ana.page.setViewportSize({ width: 360, height: 360 });
  for (const answer of ['Waiting here', 'I’ll cross'])
    await expect(warning(ana.page).getByRole('button', { name: answer })).toBeInViewport({
      ratio: 1,
    });
  await warning(sam.page).getByRole('button', { name: 'Change what you told Ana' }).click();
  await waitForTapGuard(sam.page);
  await warning(sam.page).getByRole('button', { name: 'Waiting here' }).click();
  await expect(warning(ana.page)).toContainText('Pass with plenty of room.');
  await warning(ana.page).getByRole('button', { name: 'Got it' }).click();
  await expect(pill(ana.page).getByRole('listitem')).toContainText(
    /^“Waiting”Sam 2 dogs need space/,
  );
  await expectAccessible(ana.page);
  await ana.page.reload();
  await expect(pill(ana.page).getByRole('listitem')).toContainText(/^“Waiting”/);
});

test('in a low window, several acknowledged warnings are one row, which covers none of the walk’s buttons', async ({
  owner,
}) => {
  const here = park();
  // A window of 560 px, and the bar of simulated services.
  const LOW = { viewport: { width: 360, height: 604 } };
  const sides = [
    { name: 'Sam', dogs: [rex], at: north(here, 15) },
    { name: 'Kim', dogs: [max], at: north(here, -20) },
  ];
  const others = await Promise.all(sides.map((side) => owner({ ...side, sharing: true })));
  const ana = await owner({ name: 'Ana', dogs: [bella], sharing: true, at: here, context: LOW });
  const { page } = ana;
  // The warning may cover the heading.
  for (const each of [...others, ana]) await each.page.goto('/home');
  await expect(warning(page)).toContainText('Rex needs space');
  await expect(warning(page)).toContainText('Max needs space');
  await waitForTapGuard(page);
  await warning(page).getByRole('button', { name: 'Got it' }).click();
  const row = pill(page).getByRole('button', { name: /Rex needs space.*and 1 more/ });
  await expect(row).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 0));
  const { y = 0 } = (await pill(page).boundingBox()) ?? {};
  for (const button of [
    page.getByRole('button', { name: 'End walk' }),
    page.getByRole('link', { name: /^Pocket mode/ }),
    page.getByRole('link', { name: /^Hazard/ }),
  ]) {
    const box = (await button.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(y);
  }
  await expectAccessible(page);
  await row.click();
  await expect(pill(page).getByRole('listitem')).toHaveCount(2);
  const fewer = pill(page).getByRole('button', { name: 'Show fewer' });
  await expect(fewer).toBeFocused();
  await fewer.click();
  await expect(row).toBeFocused();
});
