import { DOG_NAME_MAX } from '#shared/dogs/rules.ts';
import { IMAGE_MAX_BYTES } from '#shared/files/rules.ts';
import { expect, expectAccessible, notStored, offlineTest, test, untilStored } from '../browser.ts';
import { addDog, deleteDog, dogNames, dogRow, editDog, untilSaved } from '../my-dogs.ts';

const PICTURE = 'client/public/icons/maskable-512.png';

test('an owner without dogs learns how to add one and adds it with its name, type and details', async ({
  owner,
}) => {
  const { page, context } = await owner({ dogs: [] });
  await context.addInitScript(() => {
    const spoken: string[] = [];
    Object.assign(window, { spoken });
    speechSynthesis.speak = (utterance) => void spoken.push(utterance.text);
  });
  await page.goto('/home');
  await page
    .getByRole('region', { name: 'My Dogs' })
    .getByRole('link', { name: 'Add Dog' })
    .click();
  const form = page.getByRole('dialog', { name: 'Add Dog' });
  const submit = form.getByRole('button', { name: 'Add Dog' });
  const name = form.getByLabel('Dog name');
  await expect(submit).toBeDisabled();
  await name.fill('   ');
  await form.getByRole('radio', { name: /Needs space/ }).check();
  await expect(submit).toBeDisabled();
  await expect(form.getByText('Required')).toBeVisible();
  await name.fill('x'.repeat(DOG_NAME_MAX + 10));
  await expect(name).toHaveValue('x'.repeat(DOG_NAME_MAX));
  await name.fill('  Rex ');
  await form.locator('input[type=file]').setInputFiles({
    name: 'rex.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('Just text'),
  });
  await expect(form.getByText('Please select an image file')).toBeVisible();
  await form.getByLabel('Deaf').check();
  await form.getByLabel('Puppy').check();
  await form.getByLabel('Breed').fill('Border Collie');
  await form.getByLabel('Size').selectOption('Medium');
  const year = form.getByLabel('Year of birth');
  await year.fill('1899');
  await expect(form.getByText(/^Enter a year from \d{4} to \d{4}/)).toBeVisible();
  await expect(submit).toBeDisabled();
  await year.fill(String(new Date().getFullYear() - 4));
  const spoken = await page.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
  expect(spoken.join(' ')).toMatch(/leashed/);
  await expectAccessible(page);
  await submit.click();
  await expect(form).toBeHidden();
  await expect(dogRow(page, 'Rex')).toContainText('Needs space');
  await expect(dogRow(page, 'Rex')).toContainText('Border Collie · medium · about 4 years');
  await expect(dogRow(page, 'Rex')).toContainText('Deaf, puppy');
});

test('a dog can be edited in a dialog that keeps typed text and the scroll position, and deleted after a confirmation', async ({
  owner,
}) => {
  const { page } = await owner({
    dogs: [{ name: 'Rex', sound_type: 'leash_off' }],
    context: { viewport: { width: 360, height: 740 } },
  });
  await page.goto('/home');
  await expect(dogRow(page, 'Rex')).toBeVisible();
  await page.goto('/home#my-dogs');
  const scrolled = () => page.evaluate(() => window.scrollY);
  let before = 0;
  const hasArrived = async () => {
    const last = before;
    before = await scrolled();
    return before > 300 && before === last;
  };
  await expect.poll(hasArrived, { intervals: [250] }).toBe(true);
  await page.getByRole('button', { name: 'Edit Rex' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Rex' });
  await form.getByLabel('Dog name').fill('Rex the Second');
  await page.mouse.click(180, 10);
  await expect(form.getByLabel('Dog name')).toHaveValue('Rex the Second');
  await form.getByRole('button', { name: 'Close' }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL('/home#my-dogs');
  expect(Math.abs((await scrolled()) - before)).toBeLessThan(5);

  await editDog(page, 'Rex', { name: 'Rexy', sound_type: 'leash_on' });
  await expect(dogRow(page, 'Rexy')).toContainText('Needs space');
  await page.getByRole('button', { name: 'Edit Rexy' }).click();
  await page.getByRole('button', { name: 'Delete Rexy' }).click();
  const question = page.getByRole('dialog', {
    name: 'Are you sure you want to delete this dog?',
  });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByRole('button', { name: 'Delete Rexy' })).toBeFocused();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(dogRow(page, 'Rexy')).toBeVisible();
  await deleteDog(page, 'Rexy');
  await expect.poll(() => dogNames(page)).toEqual([]);
});

test('shows and logs an error when a dog can’t be saved, and keeps the form', async ({ owner }) => {
  const { page } = await owner();
  const logged: string[] = [];
  page.on('console', (message) => void logged.push(message.text()));
  await page.goto('/home?open=add-dog');
  const form = page.getByRole('dialog', { name: 'Add Dog' });
  await form.getByLabel('Dog name').fill('Ida');
  await form.getByRole('radio', { name: /Friendly/ }).check();
  // A browser without random ids can't create a dog.
  await page.evaluate(() => {
    Object.assign(crypto, {
      randomUUID: () => {
        throw new Error('not here');
      },
    });
  });
  await form.getByRole('button', { name: 'Add Dog' }).click();
  await expect(form.getByRole('alert').filter({ hasText: 'couldn’t save this' })).toBeVisible();
  await expect(form.getByLabel('Dog name')).toHaveValue('Ida');
  expect(logged.join('\n')).toContain('Failed to add your dog.');
});

test('shows a picture before it is uploaded, and then on every device', async ({
  owner,
  device,
}) => {
  const phone = await owner({ dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
  const { page } = phone;
  await page.goto('/home');
  await page.getByRole('button', { name: 'Edit Rex' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Rex' });
  const choose = form.getByLabel(/photo/);
  await choose.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
  await expect(form.getByText('Please select an image file')).toBeVisible();
  const large = Buffer.alloc(IMAGE_MAX_BYTES + 1);
  large.write('\0\0\0\0ftypheic');
  await choose.setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: large });
  await expect(form.getByText('Image size must be less than 5MB')).toBeVisible();
  await choose.setInputFiles(PICTURE);
  await expect(form.locator('img[src^="blob:"]')).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await untilSaved(page);
  const tablet = await device(phone);
  await tablet.page.goto('/home');
  for (const shown of [page, tablet.page])
    await expect(dogRow(shown, 'Rex').locator('img[src^="/api/files/"]')).toBeVisible();
});

test('saves a picture even if Save is pressed before a slow phone has resized it', async ({
  owner,
}) => {
  const { page, context } = await owner({ dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
  await context.addInitScript(() => {
    const decode = window.createImageBitmap.bind(window) as (image: Blob) => Promise<ImageBitmap>;
    const slowly = async (image: Blob) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return decode(image);
    };
    Object.assign(window, { createImageBitmap: slowly });
  });
  await page.goto('/home');
  await page.getByRole('button', { name: 'Edit Rex' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Rex' });
  await form.getByLabel(/photo/).setInputFiles(PICTURE);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('button', { name: 'Saving…' })).toBeDisabled();
  await expect(form).toBeHidden();
  await expect(dogRow(page, 'Rex').locator('img[src^="/api/files/"]')).toBeVisible();
});

offlineTest(
  'shows a picture chosen offline, keeps it after a restart, and uploads it later',
  async ({ owner, device }) => {
    const phone = await owner({ dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
    const { page, context } = phone;
    await page.goto('/home');
    await untilSaved(page);
    await untilStored(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Edit Rex' }).click();
    const form = page.getByRole('dialog', { name: 'Edit Rex' });
    await form.getByLabel(/photo/).setInputFiles(PICTURE);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(dogRow(page, 'Rex')).toContainText('Photo saved on this device, not uploaded yet');
    await addDog(page, { name: 'Luna', sound_type: 'leash_off' });

    await page.reload();
    await expect(dogRow(page, 'Rex')).toContainText('Photo saved on this device, not uploaded yet');
    await expect(dogRow(page, 'Rex').locator('img[src^="blob:"]')).toBeVisible();
    await expectAccessible(page);

    await context.setOffline(false);
    await untilSaved(page);
    await expect(dogRow(page, 'Rex').locator('img[src^="/api/files/"]')).toBeVisible();
    await expect(dogRow(page, 'Rex')).not.toContainText('not sent yet');
    const tablet = await device(phone, notStored);
    await tablet.page.goto('/home');
    await expect(dogRow(tablet.page, 'Rex').locator('img[src^="/api/files/"]')).toBeVisible();

    await context.setOffline(true);
    await page.reload();
    const picture = dogRow(page, 'Rex').locator('img');
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBe(512);
  },
);
