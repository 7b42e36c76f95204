import type { Locator, Page } from '@playwright/test';
import type { SponsoredBusiness } from '#shared/advertisers/business-types.ts';
import type { Amenity } from '#shared/amenities/contract.ts';
import { createHazard } from '#shared/hazards/contract.ts';
import { mergeLocations } from '#shared/locations/admin-contract.ts';
import { createTip, deleteLocation, getLocation } from '#shared/locations/contract.ts';
import { listVisits } from '#shared/locations/visit-contract.ts';
import type { Place } from '#shared/place.ts';
import { expect, expectAccessible, offlineTest, position, test, untilStored } from '../browser.ts';
import { befriend } from '../friends/befriend.ts';
import { sendAgain, sendHere } from '../geocoder/send-here.ts';
import { syncChip, untilSaved } from '../my-dogs.ts';
import { recordVibrations } from '../record-vibrations.ts';
import { makePlace, north } from './made-places.ts';

/** Coordinates that no other test uses. */
const somewhere = (): Place => ({
  latitude: Number((20 + Math.random() * 40).toFixed(3)),
  longitude: Number((-170 + Math.random() * 340).toFixed(3)),
});

const card = (page: Page, name: string): Locator =>
  page
    .getByRole('region', { name: 'Places to walk' })
    .locator('li')
    .filter({ has: page.getByRole('heading', { name: new RegExp(`^${name}`), level: 3 }) });
/** The page of a place. */
const placePage = (page: Page, name: string): Locator =>
  page.getByRole('article', { name, exact: true });
const openPlace = (page: Page, name: string): Promise<void> =>
  card(page, name)
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();
const backToList = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Back to all places' }).click();
/** Headings of the list: places, and the sponsored businesses between them. */
const headings = (page: Page): Locator =>
  page.getByRole('region', { name: 'Places to walk' }).getByRole('heading', { level: 3 });
const names = (page: Page): Locator => headings(page).filter({ hasNotText: /^Sponsored/ });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

const BUSINESSES: SponsoredBusiness[] = [
  {
    id: 'listing-one',
    business_name: 'Paws & Coffee',
    business_type: 'restaurant',
    description: 'Water bowls under every table.',
    address: '1 Park Lane',
    phone: '+1 555 010 0100',
    website_url: 'https://coffee.example/',
    image_url: null,
    distance_miles: 0.44,
    view_id: 'one',
  },
  {
    id: 'listing-two',
    business_name: 'Animal Hospital',
    business_type: 'veterinary',
    description: 'Open all night.',
    address: null,
    phone: '+1 555 010 0199',
    website_url: null,
    image_url: null,
    distance_miles: 2,
    view_id: 'two',
  },
];

/** Adds businesses to the results of searches. */
async function withBusinesses(page: Page): Promise<void> {
  await page.route('**/api/locations/search?*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as object;
    await route.fulfill({ response, json: { ...answer, advertisements: BUSINESSES } });
  });
}

test('searches for places by radius and type, with businesses nearby', async ({ owner }) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  const park = await makePlace(kim, {
    name: 'Oak Park',
    ...north(at, 0.5),
    leash_required: true,
    parking_available: true,
    water_available: true,
    restrooms_available: true,
  });
  await makePlace(kim, { name: 'Long Trail', ...north(at, 6), location_type: 'trail' });
  await makePlace(kim, { name: 'Far Lake', ...north(at, 30), location_type: 'lake' });
  await kim.call(createTip, { body: { location_id: park.id, title: 'A', content: 'B' } });

  const { page } = await owner({ name: 'Alex', at });
  await withBusinesses(page);
  await page.goto('/home');
  await page.getByRole('link', { name: 'Walking Locations' }).click();
  // With the permission granted, the page doesn't ask.
  await expect(names(page)).toHaveText([/Oak Park/, /Long Trail/]);
  await expect(page).toHaveURL(/latitude=.*&radius=10/);
  await expect(page.getByText('2 places within 10 miles')).toBeVisible();
  await expect(card(page, 'Oak Park')).toContainText('Park · 0.5 miles');
  await expect(card(page, 'Oak Park').getByLabel('Features').getByRole('listitem')).toHaveText([
    'Leash Required',
    'Parking',
    'Water',
    'Restrooms',
  ]);
  // What nobody did yet isn't counted.
  await expect(card(page, 'Oak Park')).toContainText('1 tip');
  await expect(card(page, 'Oak Park')).not.toContainText(/\d visit|of 5 stars/);

  const sponsored = page.getByRole('region', { name: 'Sponsored businesses' });
  await expect(sponsored.getByText('Sponsored', { exact: true })).toHaveCount(2);
  await expect(sponsored.getByRole('link', { name: 'Call Paws & Coffee' })).toHaveAttribute(
    'href',
    'tel:+15550100100',
  );
  await expect(sponsored.getByRole('link', { name: /^Visit Paws/ })).toHaveAttribute(
    'href',
    'https://coffee.example/',
  );
  await expect(sponsored.getByRole('listitem').nth(1)).toContainText('Pet Care');
  await expectAccessible(page);

  const search = page.getByRole('search', { name: 'Places to walk' });
  const radius = search.getByLabel('Radius (miles)');
  await radius.fill('101');
  await search.getByRole('button', { name: 'Search' }).click();
  await expect(radius).toBeFocused();
  await expect(radius).toHaveValue('101');
  await expect(radius).toHaveAccessibleDescription('Enter 1 to 100.');
  // Nothing is found: what there is instead is one press away.
  await radius.fill('10');
  await search.getByLabel('Location type').selectOption('Lake');
  await search.getByRole('button', { name: 'Search' }).click();
  const others = page.getByRole('group', { name: 'Other searches' });
  await expect(others.getByRole('button')).toHaveText([
    'Search within 50 miles',
    'Park (1) within 10 miles',
    'Trail (1) within 10 miles',
  ]);
  await expectAccessible(page);
  await others.getByRole('button', { name: /^Trail/ }).click();
  await expect(names(page)).toHaveText([/Long Trail/]);
  await page.goBack();
  await others.getByRole('button', { name: 'Search within 50 miles' }).click();
  await expect(names(page)).toHaveText([/Far Lake/]);

  await radius.fill('40.9');
  await search.getByLabel('Location type').selectOption('All Types');
  await search.getByRole('button', { name: 'Search' }).click();
  await expect(names(page)).toHaveText([/Oak Park/, /Long Trail/, /Far Lake/]);
  await expect(search.getByLabel('Radius (miles)')).toHaveValue('40');
  await search.getByLabel('Location type').selectOption('Lake');
  await search.getByRole('button', { name: 'Search' }).click();
  await expect(names(page)).toHaveText([/Far Lake/]);
  await page.goBack();
  await expect(names(page)).toHaveCount(3);
  await expect(search.getByLabel('Location type')).toHaveValue('');
  await search.getByLabel('Radius (miles)').fill('25');
  await search.getByRole('button', { name: 'Use My Location' }).click();
  await expect(names(page)).toHaveText([/Oak Park/, /Long Trail/]);
  await page.goBack();
  await expect(names(page)).toHaveCount(3);
  await expect(search.getByLabel('Radius (miles)')).toHaveValue('40');
});

test('on a phone, the folded search and hazards leave room for the first place, and for what else there is than an empty result', async ({
  owner,
}) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  for (const [name, miles] of [
    ['Oak Park', 1],
    ['Elm Park', 2],
    ['Fir Park', 3],
  ] as const)
    await makePlace(kim, { name, ...north(at, miles) });
  await kim.call(createHazard, { body: { kind: 'glass', ...north(at, 0.5) } });
  const { page } = await owner({
    name: 'Alex',
    at,
    context: { viewport: { width: 360, height: 740 } },
  });
  await withBusinesses(page);
  // Without the map, which fills half of the screen.
  await page.goto('/locations?map=hidden');
  await expect(headings(page)).toHaveText([
    /Oak Park/,
    /Elm Park/,
    'Sponsored businesses',
    /Fir Park/,
  ]);
  await expect(card(page, 'Oak Park').getByRole('button', { name: /^Visit/ })).toBeInViewport();

  const hazards = page.getByRole('region', { name: 'Hazards and lost dogs' });
  const fold = hazards.getByRole('button', { name: /^Hazards and lost dogs/ });
  await expect(fold).toContainText('Broken glass, 0.5 miles');
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(hazards.getByRole('button', { name: 'Report a hazard' })).toBeHidden();
  await fold.press('Enter');
  await expect(hazards.getByRole('button', { name: 'Still there: Broken glass' })).toBeVisible();
  await expect(hazards.getByRole('button', { name: 'Report a hazard' })).toBeVisible();
  await expectAccessible(page);
  await fold.press('Enter');
  await expect(hazards.getByRole('button', { name: 'Still there: Broken glass' })).toBeHidden();

  const search = page.getByRole('button', { name: 'change the search' });
  await search.press('Enter');
  await page.getByLabel('Location type').selectOption('Lake');
  await page.getByRole('search', { name: 'Places to walk' }).getByLabel('Radius').press('Enter');
  await expect(page.getByText('No walking locations found')).toBeVisible();
  await expect(search).toBeFocused();
  await expect(search).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('button', { name: /^Park \(3\)/ })).toBeInViewport();
});

test('a visitor records a visit, rates the place and adds a tip', async ({ owner }) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  const park = await makePlace(kim, { name: 'Oak Park', ...north(at, 0.5) });
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'])
    await kim.call(createTip, { body: { location_id: park.id, title, content: 'By the gate.' } });
  const alex = await owner({ name: 'Alex', at });
  const { page } = alex;
  const vibrations = await recordVibrations(page);
  await page.goto('/locations');

  await openPlace(page, 'Oak Park');
  const oak = placePage(page, 'Oak Park');
  await expect(oak.getByRole('heading', { name: 'Oak Park' })).toBeFocused();
  const tips = oak.getByRole('region', { name: 'Tips for Oak Park' });
  await expect(tips.getByRole('heading', { level: 3 })).toHaveText([
    'Seven',
    'Six',
    'Five',
    'Four',
    'Three',
  ]);
  await expect(tips.getByRole('listitem').first()).toContainText(
    /General · Kim · \w{3} \d+, \d{4}/,
  );
  await expect(oak.getByRole('link', { name: /^Directions/ })).toHaveAttribute(
    'href',
    /^https:\/\/www\.openstreetmap\.org\/directions\?to=/,
  );
  await tips.getByRole('button', { name: '+2 more tips available' }).click();
  await expect(tips.getByRole('listitem')).toHaveCount(7);
  const one = tips.getByRole('listitem').filter({ has: page.getByText('One', { exact: true }) });
  await one.getByRole('button', { name: /Helpful/ }).click();
  await expect(tips.getByRole('listitem').first()).toContainText('One');
  await expect(one.getByRole('button', { name: /Helpful/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expectAccessible(page);

  // A rating is no visit.
  await oak.getByRole('radio', { name: '2 stars' }).click();
  await expect(oak).toContainText('2.0 of 5 stars');
  await expect(oak).not.toContainText(/\d visit/);
  await oak.getByRole('button', { name: 'Visit Oak Park' }).click();
  await expect(page.getByText('Visit recorded')).toBeVisible();
  await expect.poll(vibrations).toEqual([[100]]);
  // Not 'check': the star is filled once the device has stored the rating, a moment after the press.
  await oak.getByRole('radio', { name: '4 stars' }).click();
  await expect(oak).toContainText('1 visit');
  await expect(oak).toContainText('4.0 of 5 stars');

  await oak.getByRole('button', { name: 'Add Tip for Oak Park' }).click();
  const form = dialog(page, 'Add Tip');
  await form.getByRole('button', { name: 'Add Tip' }).click();
  await expect(form.getByLabel('Title')).toBeFocused();
  await expect(form.getByText('Required')).toHaveCount(2);
  await form.getByLabel('Tip type').selectOption('Veterinary');
  await expect(form.getByRole('status')).toContainText('Veterinary tip.');
  await form.getByLabel('Clinic or veterinarian').fill('Night Clinic');
  await form.getByLabel('Details for an emergency').fill('Ring twice.');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Add Tip' }).click();
  await expect(form).toBeHidden();
  await expect(tips.getByRole('listitem').filter({ hasText: 'Night Clinic' })).toBeVisible();
  await expect(oak).toContainText('8 tips');
  await untilSaved(page);
  const { location } = await kim.call(getLocation, { params: { id: park.id } });
  expect(location).toMatchObject({ visit_count: 1, average_rating: 4, tip_count: 8 });

  const photos = oak.getByRole('region', { name: 'Photos of Oak Park' });
  await photos.getByLabel('Add a photo').setInputFiles('client/public/icons/icon-192.png');
  await expect(photos.getByRole('img', { name: /^Oak Park, You · / })).toBeVisible();
  await expectAccessible(page);
  await oak.getByRole('button', { name: 'Remove rating' }).click();
  await expect(oak.getByRole('radio', { name: '1 star' })).toBeFocused();
  await expect(oak).not.toContainText('of 5 stars');
  await expect(oak).toContainText('1 visit');

  await page.getByRole('button', { name: 'My visits' }).click();
  const mine = dialog(page, 'My Visits');
  await mine.getByRole('button', { name: /^Add notes: Oak Park/ }).click();
  await mine.getByLabel(/^Notes: Oak Park/).fill('Muddy after rain.');
  await expectAccessible(page);
  await mine.getByRole('button', { name: 'Save' }).click();
  await expect(mine.getByRole('listitem')).toContainText('Muddy after rain.');
  // The field has the text already, so neither the list nor the chip tells when the note has left.
  await expect
    .poll(async () => (await alex.call(listVisits)).visits)
    .toMatchObject([{ notes: 'Muddy after rain.' }]);
  await page.goBack();
  await backToList(page);
  await expect(card(page, 'Oak Park').getByRole('link', { name: /^Oak Park/ })).toBeFocused();
  await page.getByRole('button', { name: 'My visits' }).click();
  await mine.getByRole('button', { name: 'Oak Park', exact: true }).click();
  await expect(mine).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`place=${park.id}`));
});

offlineTest(
  'stores places, tips and visits offline and sends them when the network is back',
  async ({ owner }) => {
    const at = somewhere();
    const kim = await owner({ name: 'Kim', profile: false });
    const elm = { name: 'Elm Shore', ...north(at, 0.5), location_type: 'beach' as const };
    const { id } = await makePlace(kim, elm);
    const { page, context } = await owner({ name: 'Alex', at });
    await page.goto('/locations');
    await expect(names(page)).toHaveText([/Elm Shore/]);
    await untilSaved(page);
    await untilStored(page);
    const photosOn = (on: Page) => on.getByRole('region', { name: 'Photos of Elm Shore' });
    const expectPhoto = async (on: Page) => {
      const photo = photosOn(on).getByRole('img', { name: /^Elm Shore, You · / });
      await photo.scrollIntoViewIfNeeded();
      await expect
        .poll(() => photo.evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    };
    const icon = 'client/public/icons/icon-192.png';
    await openPlace(page, 'Elm Shore');
    await photosOn(page).getByLabel('Add a photo').setInputFiles(icon);
    await expectPhoto(page);
    // Closed before the rating is sent, so that the place isn't read again.
    await page.getByRole('radio', { name: '4 stars' }).click();
    await backToList(page);
    await untilSaved(page);
    await context.setOffline(true);

    await page.getByRole('button', { name: 'Add Location' }).click();
    const form = dialog(page, 'Add Location');
    await form.getByRole('button', { name: 'Add Location' }).click();
    await expect(form.getByLabel('Name')).toBeFocused();
    await form.getByLabel('Name').fill('Hidden Meadow');
    await form.getByRole('checkbox', { name: 'Water' }).check();
    await expectAccessible(page);
    // Both coordinates are left at zero: it is where the device is, once its owner has seen it.
    await sendHere(form, 'Add Location');
    await expect(card(page, 'Hidden Meadow')).toContainText('Not sent yet');
    await expect(card(page, 'Hidden Meadow')).toContainText('0.0 miles');
    await expect(card(page, 'Hidden Meadow')).toContainText('You are here');

    await openPlace(page, 'Elm Shore');
    const shore = placePage(page, 'Elm Shore');
    await shore.getByRole('button', { name: 'Visit Elm Shore' }).click();
    await shore.getByRole('button', { name: 'Add Tip for Elm Shore' }).click();
    await dialog(page, 'Add Tip').getByLabel('Title').fill('Low tide');
    await dialog(page, 'Add Tip').getByLabel('Your tip').fill('Then it is twice as wide.');
    await dialog(page, 'Add Tip').getByRole('button', { name: 'Add Tip' }).click();
    await expect(shore).toContainText('Low tide');
    await photosOn(page).getByLabel('Add a photo').setInputFiles(icon);
    await expect(photosOn(page)).toContainText('Not sent yet');
    await expect(syncChip(page)).toHaveText(/Offline · 4 to send/);

    await page.close();
    const again = await context.newPage();
    await again.goto('/locations');
    await expect(names(again)).toHaveText([/Hidden Meadow/, /Elm Shore/]);
    await expect(card(again, 'Elm Shore')).toContainText('1 tip');
    await openPlace(again, 'Elm Shore');
    await expectPhoto(again);
    const unsent = photosOn(again).getByRole('listitem').filter({ hasText: 'Not sent yet' });
    await expect(unsent.getByRole('img', { name: 'Elm Shore, just added by you' })).toBeVisible();
    await again.getByRole('button', { name: 'Remove rating' }).click();
    await expect(again.getByRole('button', { name: 'Remove rating' })).toBeHidden();
    await expect(syncChip(again)).toHaveText(/Offline · 5 to send/);
    await backToList(again);
    // A new search needs the network.
    await again.getByRole('search').getByLabel('Radius (miles)').fill('3');
    await again.getByRole('search').getByRole('button', { name: 'Search' }).click();
    await expect(again.getByText('The search continues automatically')).toBeVisible();

    await context.setOffline(false);
    await untilSaved(again);
    await expect(card(again, 'Hidden Meadow')).not.toContainText('Not sent yet');
    await expect(card(again, 'Elm Shore')).toContainText('1 visit');
    await expect(card(again, 'Elm Shore')).toContainText('1 tip');
    await expect(card(again, 'Elm Shore')).not.toContainText('of 5 stars');
    await openPlace(again, 'Elm Shore');
    await expect(photosOn(again).getByRole('img', { name: /^Elm Shore, You · / })).toHaveCount(2);
    await expect(unsent).toHaveCount(0);

    // A photo that is removed offline is gone at once, and from the server when the network is back.
    const removePhoto = async () => {
      const remove = photosOn(again).getByRole('button', { name: /^Remove your photo of/ });
      await remove.first().click();
      const confirm = dialog(again, 'Remove this photo?');
      await confirm.getByRole('button', { name: 'Remove' }).click();
    };
    const shown = photosOn(again).getByRole('img');
    const stored = async () =>
      (await kim.call(getLocation, { params: { id } })).location.photos.length;
    await untilSaved(again);
    await context.setOffline(true);
    await removePhoto();
    await expect(shown).toHaveCount(1);
    await expect(syncChip(again)).toHaveText(/Offline · 1 to send/);
    expect(await stored()).toBe(2);
    await context.setOffline(false);
    await untilSaved(again);
    await expect(shown).toHaveCount(1);
    expect(await stored()).toBe(1);

    // It comes back if the server refuses.
    const error = 'You can’t remove this photo';
    await again.route('**/api/location-photos/*', (route) =>
      route.fulfill({ status: 403, json: { error, code: 'forbidden' } }),
    );
    await removePhoto();
    await expect(again.getByText(error)).toBeVisible();
    await expect(shown).toHaveCount(1);
    expect(await stored()).toBe(1);
  },
);

test('offers a similar place when one is added, and the creator edits and removes their own', async ({
  owner,
}) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  await makePlace(kim, { name: 'Riverside Dog Park', ...at });
  const { page } = await owner({ name: 'Alex', at });
  await page.goto('/locations');
  await expect(names(page)).toHaveText([/Riverside/]);
  const add = async () => {
    await page.getByRole('button', { name: 'Add Location' }).click();
    const form = dialog(page, 'Add Location');
    await form.getByLabel('Name').fill('Riverside');
    await sendHere(form, 'Add Location');
  };
  const question = dialog(page, 'Is it one of these?');
  await add();
  await expect(question.getByRole('button', { name: /It’s Riverside Dog Park/ })).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: /It’s Riverside Dog Park/ }).click();
  await expect(page).toHaveURL(/place=/);
  await backToList(page);
  await expect(names(page)).toHaveCount(1);

  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/locations\/search/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await add();
  await question.getByRole('button', { name: 'Add it anyway' }).click();
  await expect(names(page)).toHaveCount(2);
  await untilSaved(page);
  // The place is selected before the list includes it: it stays selected under the id that it gets.
  await card(page, 'Riverside(?! Dog)')
    .getByRole('link', { name: /^Riverside/ })
    .click();
  const own = placePage(page, 'Riverside');
  release();
  await own.getByRole('button', { name: 'Edit Riverside' }).click();
  const edit = dialog(page, 'Edit Riverside');
  await edit.getByLabel('Name').fill('Riverside Park East');
  await edit.getByRole('checkbox', { name: 'Everyone can see it' }).uncheck();
  await edit.getByRole('button', { name: 'Save' }).click();
  const east = placePage(page, 'Riverside Park East');
  await expect(east).toContainText('Only for you');
  await untilSaved(page);
  await east.getByRole('button', { name: 'Remove Riverside Park East' }).click();
  await dialog(page, 'Are you sure you want to remove this location?')
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(names(page)).toHaveText([/Riverside Dog Park/]);

  await openPlace(page, 'Riverside Dog Park');
  await page.getByRole('button', { name: 'Report Riverside Dog Park' }).click();
  const report = dialog(page, 'Report Location');
  await report.getByLabel('It doesn’t exist').check();
  await expectAccessible(page);
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Thank you. An admin will review it.')).toBeVisible();
  await untilSaved(page);
});

test('adds a place at the current position, and shows how far away an older search was', async ({
  owner,
}) => {
  const at = somewhere();
  const { page, context } = await owner({ name: 'Alex', at });
  await page.goto('/locations');
  await expect(page.getByText('No walking locations found within 10 miles.')).toBeVisible();
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add Location' }).click();
    await dialog(page, 'Add Location').getByLabel('Name').fill(name);
    await dialog(page, 'Add Location').getByRole('button', { name: 'Add Location' }).click();
  };
  const confirm = () => sendAgain(dialog(page, 'Add Location'), 'Add Location');
  // The search was at home. The place is added at the meadow.
  await context.setGeolocation({ ...north(at, 4), accuracy: 5 });
  await add('Far Meadow');
  await confirm();
  await expect(card(page, 'Far Meadow')).toContainText('4.0 miles');
  await expect(card(page, 'Far Meadow')).toContainText('You are here');
  await untilSaved(page);

  await context.setGeolocation({ ...north(at, 4), accuracy: 900 });
  await add('Somewhere');
  const form = dialog(page, 'Add Location');
  await expect(form.getByRole('alert').filter({ hasText: 'Your location' })).toContainText(
    'isn’t accurate enough',
  );
  await form.getByRole('button', { name: 'Cancel' }).click();

  await context.setGeolocation({ ...north(at, 300), accuracy: 5 });
  await page.goto('/locations');
  await expect(
    page.getByText('1 place within 10 miles, around a point 300 miles away'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Use My Location' }).click();
  await expect(page.getByText('No walking locations found within 10 miles.')).toBeVisible();
});

test('repeats the last search, but not as the answer to a search for something else', async ({
  owner,
}) => {
  const at = somewhere();
  const { page, context, call } = await owner({ name: 'Alex', at });
  await makePlace({ call }, { ...at, name: 'Green', location_type: 'park' });
  await page.goto('/locations');
  await expect(page.getByText('1 place within 10 miles')).toBeVisible();

  // This device's position isn't known any more, so that the search is around the last one's.
  await context.clearPermissions();
  await page.goto('/locations?type=beach');
  await expect(page.getByText('No walking locations found within 10 miles.')).toBeVisible();
  await expect(card(page, 'Green')).toBeHidden();
  await page.goto('/locations?radius=5');
  await expect(page.getByText('1 place within 5 miles')).toBeVisible();
  await page.goto('/locations');
  await expect(page.getByText('1 place within 5 miles')).toBeVisible();

  await position(context, north(at, 300));
  await page.goto('/locations?radius=5');
  await expect(page.getByText('No walking locations found within 5 miles.')).toBeVisible();
});

test('a visit needs its visitor to be near, is a state, and can be undone', async ({ owner }) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  await makePlace(kim, { name: 'Oak Park', ...at });
  await makePlace(kim, { name: 'Long Trail', ...north(at, 3) });
  const { page } = await owner({ name: 'Alex', at });
  await page.goto('/locations');
  const visitOf = async (name: string) => {
    const asked = page.waitForRequest(
      (request) => request.url().endsWith('/api/location-visits') && request.method() === 'POST',
    );
    await page.getByRole('button', { name: `Visit ${name}` }).click();
    return (await asked).postDataJSON() as Record<string, unknown>;
  };
  const there = ['latitude', 'location_id', 'longitude'];
  expect(Object.keys(await visitOf('Oak Park')).toSorted()).toEqual(there);
  // From afar, there is the way, too.
  const trail = card(page, 'Long Trail');
  await expect(trail.getByRole('link', { name: 'Directions to Long Trail' })).toBeVisible();
  await trail.getByRole('button', { name: 'Visit Long Trail' }).click();
  await expect(page.getByText('You can record a visit when you’re there.')).toBeVisible();
  const oak = card(page, 'Oak Park');
  await expect(oak).toContainText('1 visit');
  await page.reload();
  await oak.getByRole('button', { name: 'Visited Oak Park today, undo' }).click();
  await expect(oak.getByRole('button', { name: 'Visit Oak Park' })).toBeVisible();
  await untilSaved(page);
  await expect(oak).not.toContainText(/\d visit/);
});

test('filters by chips, and shows what helps on a walk on the map', async ({ owner }) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  await makePlace(kim, { name: 'Open Field', ...at, fenced: true, off_leash: true });
  await makePlace(kim, { name: 'Long Trail', ...north(at, 1) });
  const phone = { viewport: { width: 360, height: 740 } };
  const { page } = await owner({ name: 'Alex', at, context: phone });
  const amenity: Amenity = {
    id: 'osm-n1',
    kind: 'water',
    name: null,
    latitude: at.latitude + 0.008,
    longitude: at.longitude,
    notes: ['Dogs welcome'],
    phone: null,
    opening_hours: '24/7',
    is_open: true,
    changes_at: null,
  };
  await page.route('**/api/amenities?*', (route) => {
    const kinds = new URL(route.request().url()).searchParams.get('kinds');
    return route.fulfill({ json: { amenities: kinds === 'water' ? [amenity] : [] } });
  });
  await page.goto('/locations');
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByRole('button', { name: 'Fenced' }).click();
  await expect(names(page)).toHaveText([/Open Field/]);
  await expect(page).toHaveURL(/features=fenced/);
  await filters.getByRole('button', { name: 'Fenced' }).click();
  await expect(names(page)).toHaveCount(2);

  await filters.getByRole('button', { name: 'All filters' }).click();
  const sheet = dialog(page, 'Filters');
  const also = sheet.getByRole('group', { name: 'Also on the map' });
  await also.getByRole('button', { name: 'Drinking water' }).click();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Show places' }).click();
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await map.getByRole('button', { name: 'Drinking water' }).click();
  const shown = page.getByRole('region', { name: 'On the map: Drinking water' });
  await expect(shown).toContainText('Open · Dogs welcome');
  await expect(shown.getByRole('link', { name: '© OpenStreetMap contributors' })).toBeVisible();
  await expectAccessible(page);
});

test('a link to a place opens its page, with its photo and the way there on the first screen of a phone', async ({
  owner,
}) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  for (const name of ['Elm Park', 'Fir Park'])
    await makePlace(kim, { name, ...at, confirm_new: true });
  const oak = await makePlace(kim, { name: 'Oak Park', ...north(at, 2) });
  const viewport = { width: 360, height: 740 };
  const { page } = await owner({ name: 'Alex', at, context: { viewport } });
  await page.goto(`/locations?place=${oak.id}`);
  const shown = placePage(page, 'Oak Park');
  const added = shown.getByRole('img', { name: /^Oak Park, You · / });
  await expect(shown.getByText('Add a photo')).toBeInViewport({ ratio: 1 });
  const searched = page.waitForResponse('**/api/locations/search?*');
  await shown.getByLabel('Add a photo').setInputFiles('client/public/icons/icon-192.png');
  await expect(added).toBeVisible();
  await (await searched).finished();
  await page.reload();
  await expect(added).toBeInViewport();
  await expect(shown.getByRole('link', { name: /^Directions/ })).toBeInViewport({ ratio: 1 });
  for (const name of ['Share Oak Park', 'Visit Oak Park'])
    await expect(shown.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('region', { name: 'Map', exact: true })).toHaveCount(0);
  await expectAccessible(page);

  await shown.getByRole('button', { name: 'Show Oak Park on the map' }).click();
  const tapped = page.getByRole('region', { name: 'On the map: Oak Park' });
  await expect(tapped).toBeInViewport({ ratio: 1 });
  await expect(tapped.locator('img')).toHaveAttribute('src', /^\/api\/files\//);
  await expect(tapped.getByRole('button')).toHaveText([
    'Oak ParkPark · 2.0 miles, details',
    '',
    'Visit',
    'Add Tip',
  ]);
  await expect(shown).toBeHidden();
});

test('asks about a similar place once its details can be loaded', async ({ owner }) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  const { id } = await makePlace(kim, { name: 'Riverside Dog Park', ...at });
  const { page } = await owner({ name: 'Alex', at });
  await page.goto('/locations');
  await expect(names(page)).toHaveText([/Riverside/]);
  let failed = 0;
  await page.route(`**/api/locations/${id}`, (route) => {
    failed += 1;
    return route.abort();
  });
  await page.getByRole('button', { name: 'Add Location' }).click();
  await dialog(page, 'Add Location').getByLabel('Name').fill('Riverside');
  await sendHere(dialog(page, 'Add Location'), 'Add Location');
  await expect.poll(() => failed).toBeGreaterThan(0);
  await expect(dialog(page, 'Is it one of these?')).toBeHidden();
  await page.unroute(`**/api/locations/${id}`);
  await page.reload();
  await expect(
    dialog(page, 'Is it one of these?').getByRole('button', { name: /It’s Riverside Dog Park/ }),
  ).toBeVisible();
});

test('a link to a merged place opens its target, and a link to a missing place says so', async ({
  owner,
  admin,
}) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  const twin = await makePlace(kim, { name: 'Twin Park', ...at });
  const oak = await makePlace(kim, { name: 'Oak Park', ...at, confirm_new: true });
  const hut = await makePlace(kim, { name: 'Old Hut', ...north(at, 2) });
  const body = { into_id: oak.id };
  await admin.call(mergeLocations, { params: { id: twin.id }, body });
  const { page } = await owner({ name: 'Alex', at });
  const none = page.getByRole('alert').filter({ hasText: 'Place not found' });

  await page.goto(`/locations?place=${twin.id}`);
  await expect(page).toHaveURL(new RegExp(`place=${oak.id}`));
  await expect(placePage(page, 'Oak Park')).toBeVisible();
  await expect(none).toBeHidden();
  await backToList(page);
  await expect(names(page)).toHaveText([/Oak Park/, /Old Hut/]);

  await page.goto('/locations?place=nothing');
  await expect(none).toContainText('It was removed, it’s private');
  await expectAccessible(page);
  await none.getByRole('button', { name: 'Close' }).click();
  await expect(none).toBeHidden();
  await expect(page).not.toHaveURL(/place=/);

  // The search found it before it was removed.
  await kim.call(deleteLocation, { params: { id: hut.id } });
  await openPlace(page, 'Old Hut');
  await expect(none).toBeVisible();
  await expect(names(page)).toHaveText([/Oak Park/]);

  await page.route(`**/api/locations/${kim.user.id}`, (route) => route.abort());
  await page.goto(`/locations?place=${kim.user.id}`);
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to load the location' });
  await expect(failed).toBeVisible();
  await page.unroute(`**/api/locations/${kim.user.id}`);
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(none).toBeVisible();
});

test('shows the map first, with or without a tile server, and remembers that it was hidden', async ({
  owner,
}) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  await makePlace(kim, { name: 'Oak Park', ...north(at, 0.5) });
  await makePlace(kim, { name: 'Next Town', ...north(at, 9) });
  const { page } = await owner({ name: 'Alex', at });
  const asked: string[] = [];
  await page.route(/tile\.openstreetmap\.org/, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.goto(`/locations?latitude=${at.latitude}&longitude=${at.longitude}&radius=2`);
  await expect(names(page)).toHaveText([/Oak Park/]);
  const map = page.getByRole('region', { name: 'Map' });
  await expect(map.getByRole('link', { name: '© OpenStreetMap contributors' })).toBeVisible();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await expect(map.getByRole('status')).toContainText('The map background can’t be loaded');
  await expectAccessible(page);
  const pin = map.getByRole('button', { name: 'Oak Park, Park' });
  await pin.focus();
  await page.keyboard.press('Enter');
  await expect(card(page, 'Oak Park')).toHaveClass(/border-accent/);
  // The page of a place stands beside the map, which stays.
  await openPlace(page, 'Oak Park');
  await expect(placePage(page, 'Oak Park')).toBeVisible();
  await expect(pin).toBeVisible();
  await expectAccessible(page);
  await backToList(page);

  // The keyboard moves the map, then the search uses the new center.
  await map.locator('.map').focus();
  const searchHere = map.getByRole('button', { name: 'Search this area' });
  await expect(async () => {
    await page.keyboard.press('ArrowUp');
    await expect(searchHere).toBeVisible({ timeout: 500 });
  }).toPass();
  await searchHere.click();
  await expect(page).not.toHaveURL(new RegExp(`latitude=${at.latitude.toFixed(3)}`));
  await page.goBack();
  await expect(names(page)).toHaveText([/Oak Park/]);
  await page.getByRole('button', { name: 'Hide map' }).click();
  await expect(map).toBeHidden();

  const before = asked.length;
  await page.goto(`/locations?latitude=${at.latitude}&longitude=${at.longitude}&radius=2`);
  await expect(names(page)).toHaveText([/Oak Park/]);
  await expect(page.getByRole('button', { name: 'Show map' })).toBeVisible();
  expect(asked).toHaveLength(before);
});

test('on a phone, a tapped place shows on the map, which stays where it is', async ({ owner }) => {
  const at = somewhere();
  const kim = await owner({ name: 'Kim', profile: false });
  // Where its card is shown.
  await makePlace(kim, { name: 'Oak Park', ...north(at, -0.5) });
  const alex = await owner({
    name: 'Alex',
    at,
    context: { viewport: { width: 360, height: 740 } },
  });
  await befriend(kim, alex);
  const { page } = alex;
  await page.goto(`/locations?latitude=${at.latitude}&longitude=${at.longitude}&radius=2`);
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await expect(map.getByText('Oak Park')).toBeVisible();
  await map.getByRole('button', { name: 'Oak Park, Park' }).click();
  const tapped = map.getByRole('region', { name: 'On the map: Oak Park' });
  await expect(tapped).toContainText('Park · 0.5 mi');
  await expect(tapped).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  // The map has made room for the card; the user has moved nothing.
  await expect(map.getByRole('button', { name: 'Search this area' })).toBeHidden();
  await expectAccessible(page);
  await tapped.getByRole('button', { name: /^Oak Park/ }).click();
  const shown = placePage(page, 'Oak Park');
  await expect(shown.getByRole('heading', { name: 'Oak Park' })).toBeFocused();
  await page.goBack();
  await expect(tapped).toBeInViewport();
  await tapped.getByRole('button', { name: /^Oak Park/ }).click();
  await shown.getByRole('link', { name: 'Plan a walk here' }).click();
  const form = page.getByRole('dialog', { name: 'Plan a Walk' });
  await expect(form.getByRole('searchbox', { name: 'Place' })).toHaveValue('Oak Park');
});

test('shows errors for a missing position, an empty search and an unreachable server', async ({
  owner,
}) => {
  const { page, context } = await owner({ name: 'Alex' });
  await page.goto('/locations');
  await expect(page.getByText('Find a town or an address')).toBeVisible();
  await page.getByRole('button', { name: 'Use My Location' }).click();
  await expect(
    page.getByText('Unable to access your location. Please enable location services.'),
  ).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
  await expect(
    page.getByText('Unable to access your location. Please enable location services.'),
  ).toBeVisible();

  const at = somewhere();
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ ...at, accuracy: 5 });
  await page.getByRole('button', { name: 'Use My Location' }).click();
  await expect(page.getByText('No walking locations found within 10 miles.')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  await page.getByRole('button', { name: 'Add the First Location' }).click();
  await expect(dialog(page, 'Add Location')).toBeVisible();
  await page.goBack();
  await expect(dialog(page, 'Add Location')).toBeHidden();

  await page.route('**/api/locations/search?*', (route) =>
    route.fulfill({ status: 502, body: '<html>' }),
  );
  await page.getByRole('search').getByLabel('Radius (miles)').fill('11');
  await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('Failed to search locations')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/locations/search?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No walking locations found within 11 miles.')).toBeVisible();
});
