import type { Locator, Page } from '@playwright/test';
import { listDogs, uploadDogImage, type DogFields, type SoundType } from '#shared/dogs/contract.ts';
import { pathOf } from '../client/platform/http/api-client.ts';
import { expect, type Owner } from './browser.ts';

const CHOICE: Record<SoundType, RegExp> = { leash_on: /Needs space/, leash_off: /Friendly/ };

/** The chip that shows whether the data of the device is saved. */
export const syncChip = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: /Saved|Saving|Syncing|Offline/ });

/** Waits until everything is saved on the server. */
export const untilSaved = (page: Page): Promise<void> =>
  expect(syncChip(page)).toHaveText('Saved', { timeout: 30_000 });

const myDogs = (page: Page): Locator => page.getByRole('region', { name: 'My Dogs' });

/** A dog in the owner's list, by its whole name. */
export const dogRow = (page: Page, name: string): Locator =>
  myDogs(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

/** The names in the owner's list, in order. */
export const dogNames = (page: Page): Promise<string[]> =>
  myDogs(page)
    .getByRole('button', { name: /^Edit / })
    .evaluateAll((buttons) =>
      buttons.map((button) => (button.getAttribute('aria-label') ?? '').replace('Edit ', '')),
    );

/** Adds a dog through the form. */
export async function addDog(page: Page, dog: DogFields): Promise<void> {
  await myDogs(page).getByRole('link', { name: 'Add Dog' }).click();
  const form = page.getByRole('dialog', { name: 'Add Dog' });
  await form.getByLabel('Dog name').fill(dog.name);
  await form.getByRole('radio', { name: CHOICE[dog.sound_type] }).check();
  await form.getByRole('button', { name: 'Add Dog' }).click();
  await expect(form).toBeHidden();
}

/** Edits the given fields of a dog through the form. */
export async function editDog(page: Page, name: string, to: Partial<DogFields>): Promise<void> {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  const form = page.getByRole('dialog', { name: `Edit ${name}` });
  if (to.name !== undefined) await form.getByLabel('Dog name').fill(to.name);
  if (to.sound_type) await form.getByRole('radio', { name: CHOICE[to.sound_type] }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
}

/** Deletes a dog from its form, and confirms the question. */
export async function deleteDog(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  const question = page.getByRole('dialog', {
    name: 'Are you sure you want to delete this dog?',
  });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(question).toBeHidden();
}

/** A picture that is one red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads a picture of the owner's first dog. */
export async function givePicture({ call, context }: Owner): Promise<void> {
  const [dog] = (await call(listDogs)).dogs;
  const path = pathOf(uploadDogImage, { id: dog?.id ?? '' });
  const image = { name: 'dog.png', mimeType: 'image/png', buffer: PIXEL };
  const answer = await context.request.post(path, { multipart: { image } });
  expect(answer.status()).toBe(200);
}
