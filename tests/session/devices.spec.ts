import type { Page } from '@playwright/test';
import { deleteAccount } from '#shared/account/contract.ts';
import { listDogs } from '#shared/dogs/contract.ts';
import { RECENT_SIGN_IN_REQUIRED } from '#shared/endpoint.ts';
import { me } from '#shared/session/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import {
  expect,
  expectAccessible,
  loginUrl,
  notStored,
  offlineTest,
  test,
  untilStored,
  usedDatabases,
} from '../browser.ts';
import { addDog, dogRow, syncChip, untilSaved } from '../my-dogs.ts';

/** Everything that a browser stores for the origin except the app's files, with documents as text. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const names = (await indexedDB.databases()).map(({ name }) => name!);
    const rows: unknown[] = [];
    for (const name of names.filter((each) => each.startsWith('leashwise'))) {
      const database = await answerOf(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        rows.push(await answerOf(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map((each) => each.url),
      ),
    );
    const decoder = new TextDecoder('latin1');
    const text = (value: unknown) =>
      JSON.stringify(value, (_, each: unknown) =>
        ArrayBuffer.isView(each) ? decoder.decode(each) : each,
      );
    return {
      text: text([rows, Object.entries(localStorage), Object.entries(sessionStorage)]),
      cachedAnswers: cached.flat().filter((url) => new URL(url).pathname.startsWith('/api/')),
    };
  });

offlineTest(
  'a remotely signed-out device removes private data and sends its unsent changes after the next sign-in',
  async ({ owner, device, origin }) => {
    const phone = await owner({ name: 'Ana', context: notStored });
    const tablet = await device(phone);
    await tablet.page.goto('/home');
    await untilSaved(tablet.page);
    await untilStored(tablet.page);
    expect((await stored(tablet.page)).text).toContain('Bella');
    await tablet.context.setOffline(true);
    await addDog(tablet.page, { name: 'Rex', sound_type: 'leash_on' });
    await expect(syncChip(tablet.page)).toHaveText(/1 to send/);

    const { page } = phone;
    await page.goto('/settings#devices');
    const devices = page.getByRole('region', { name: 'Where you’re signed in' });
    await expect(devices.getByRole('listitem')).toHaveCount(2);
    await expect(devices.getByRole('listitem').first()).toContainText('This device');
    await expectAccessible(page);
    await devices.getByRole('button', { name: /^Sign out \S+ on / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await expect(devices.getByRole('listitem')).toHaveCount(1);
    expect((await phone.call(me)).id).toBe(phone.user.id);

    // Offline, the device doesn't know and removes nothing.
    await expect(dogRow(tablet.page, 'Bella')).toBeVisible();
    await tablet.context.setOffline(false);
    await expect(tablet.page).toHaveURL('/welcome');
    await expect.poll(() => usedDatabases(tablet.page)).toEqual(['leashwise-unsent']);
    await tablet.page.reload();
    await expect(tablet.page.getByText('1 change is waiting to be sent')).toBeVisible();
    await expectAccessible(tablet.page);
    const left = await stored(tablet.page);
    expect(left.text).not.toContain('Bella');
    expect(left.text).not.toContain(phone.email);
    expect(left.cachedAnswers).toEqual([]);

    await tablet.page.goto(await loginUrl(tablet.context, origin, phone.email));
    await expect(tablet.page).toHaveURL('/home');
    await expect(dogRow(tablet.page, 'Rex')).toContainText('Needs space');
    await expect(dogRow(tablet.page, 'Bella')).toBeVisible();
    await expect(tablet.page.getByText('1 change was waiting to be sent')).toBeVisible();
    await untilSaved(tablet.page);
    expect((await phone.call(listDogs)).dogs.map(({ name }) => name)).toEqual(['Bella', 'Rex']);
    await expect.poll(async () => (await stored(tablet.page)).text).not.toContain('unsent_changes');
  },
);

test('signing in again for a protected action returns to the form with its input', async ({
  owner,
}) => {
  const { page } = await owner({ name: 'Kim' });
  await page.goto('/settings?open=delete-account');
  const body = { error: 'Please sign in again to continue', code: RECENT_SIGN_IN_REQUIRED };
  await page.route(`**${pathOf(deleteAccount)}`, (route) =>
    route.fulfill({ status: 403, json: body }),
  );
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await question.getByLabel('Type “delete my account”').fill('delete my account');
  await question.getByLabel('Type “delete my account”').press('Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(again).toBeVisible();
  await expectAccessible(page);
  await again.getByRole('button', { name: 'Sign in again' }).click();

  await expect(page).toHaveURL('/settings?open=delete-account#your-data');
  await expect(question.getByLabel('Type “delete my account”')).toHaveValue('delete my account');
  await page.unroute(`**${pathOf(deleteAccount)}`);
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page).toHaveURL(/\/welcome\?account=deleted$/);
});
