import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { listDogs } from '#shared/dogs/contract.ts';
import {
  expect,
  expectAccessible,
  loginUrl,
  offlineTest,
  screenHeading,
  test,
  untilStored,
  usedDatabases,
} from '../browser.ts';
import { addDog, dogNames, dogRow, syncChip, untilSaved } from '../my-dogs.ts';

/** A connection between browser and sync server that can be cut, and can delay messages of the server. */
async function syncLine(context: BrowserContext) {
  const open = new Set<WebSocketRoute>();
  const delayed: (() => void)[] = [];
  let isCut = false;
  let isDelayed = false;
  await context.routeWebSocket(/\/sync$/, (page) => {
    if (isCut) return void page.close({ code: 1011 });
    open.add(page);
    const server = page.connectToServer();
    server.onMessage((message) => {
      if (isDelayed) delayed.push(() => page.send(message));
      else page.send(message);
    });
  });
  return {
    async cut() {
      isCut = true;
      for (const socket of open) await socket.close({ code: 1011 });
      open.clear();
    },
    mend() {
      isCut = false;
    },
    hold() {
      isDelayed = true;
    },
    release() {
      isDelayed = false;
      for (const send of delayed.splice(0)) send();
    },
  };
}

/** Counts the moments in which the page shows a dog of that name and Saved. */
async function watchForSaved(page: Page, name: string): Promise<() => Promise<number>> {
  await page.evaluate((dog) => {
    const seen = { count: 0 };
    Object.assign(window, { seen });
    const look = () => {
      const text = document.body.textContent ?? '';
      if (text.includes(dog) && document.querySelector('header [data-sync=saved]')) seen.count += 1;
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  }, name);
  return () => page.evaluate(() => (window as unknown as { seen: { count: number } }).seen.count);
}

const waitsForServer = (page: Page) => expect(syncChip(page)).toHaveText(/Offline · \d to send/);

offlineTest(
  'starts cold without a network, shows the stored data and accepts edits',
  async ({ owner }) => {
    const { page, context, call } = await owner({
      name: 'Robin',
      dogs: [{ name: 'Rex', sound_type: 'leash_on' }],
    });
    await page.goto('/home');
    await untilSaved(page);
    await untilStored(page);
    await page.close();
    await context.setOffline(true);

    const cold = await context.newPage();
    await cold.goto('/home');
    await expect(cold.getByRole('heading', { name: 'Welcome, Robin' })).toBeVisible();
    await expect(dogRow(cold, 'Rex')).toContainText('Needs space');
    await addDog(cold, { name: 'Bella', sound_type: 'leash_off' });
    await waitsForServer(cold);
    await cold.close();

    const again = await context.newPage();
    await again.goto('/');
    await expect(again).toHaveURL('/home');
    await expect(dogRow(again, 'Bella')).toBeVisible();
    await waitsForServer(again);
    await syncChip(again).click();
    await expect(
      again.getByText('Not saved on our server yet: 1 change, stored on this device.'),
    ).toBeVisible();
    await expectAccessible(again);

    await context.setOffline(false);
    await untilSaved(again);
    expect((await call(listDogs)).dogs.map(({ name }) => name)).toEqual(['Rex', 'Bella']);
  },
);

test('never shows Saved while the sync server is unreachable or before it responds', async ({
  owner,
}) => {
  const { page, context, call } = await owner();
  const line = await syncLine(context);
  const onServer = async () => (await call(listDogs)).dogs.map(({ name }) => name);
  await page.goto('/home');
  await untilSaved(page);
  await line.cut();
  const saidSaved = await watchForSaved(page, 'Rex');
  await addDog(page, { name: 'Rex', sound_type: 'leash_on' });
  await waitsForServer(page);
  expect(await saidSaved()).toBe(0);
  expect(await onServer()).not.toContain('Rex');
  line.mend();
  await untilSaved(page);
  expect(await onServer()).toContain('Rex');

  line.hold();
  const saidSavedAgain = await watchForSaved(page, 'Luna');
  await addDog(page, { name: 'Luna', sound_type: 'leash_off' });
  await expect(syncChip(page)).toHaveText('Saving…');
  await expect.poll(onServer).toContain('Luna');
  await expect(syncChip(page)).toHaveText('Saving…');
  expect(await saidSavedAgain()).toBe(0);
  line.release();
  await untilSaved(page);
});

test('a logout removes the data on the device, and the next user sees none of it', async ({
  owner,
}) => {
  const robin = await owner({ name: 'Robin', dogs: [{ name: 'Rex', sound_type: 'leash_on' }] });
  const { page } = robin;
  await page.goto('/home');
  await untilSaved(page);
  const other = await robin.context.newPage();
  await other.goto('/home');
  await expect(dogRow(other, 'Rex')).toBeVisible();
  expect(await usedDatabases(page)).toEqual(
    ['leashwise-documents', `leashwise-${robin.user.id}`].toSorted(),
  );
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).not.toHaveURL('/home');
  await expect(other).not.toHaveURL('/home');
  await expect.poll(() => usedDatabases(page)).toEqual([]);
  expect(await page.evaluate(() => caches.has('files'))).toBe(false);

  const sam = await owner({ name: 'Sam', dogs: [{ name: 'Luna', sound_type: 'leash_off' }] });
  await robin.context.addCookies(await sam.context.cookies());
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  expect(await dogNames(page)).toEqual(['Luna']);
});

test('an open tab accepts edits again after a new sign-in in another tab', async ({
  owner,
  origin,
}) => {
  const { page, context, email, call } = await owner({
    dogs: [{ name: 'Rex', sound_type: 'leash_on' }],
  });
  const line = await syncLine(context);
  const logOut = async (other: Page) => {
    await other.goto('/home');
    await untilSaved(other);
    await other.getByRole('button', { name: 'Logout' }).click();
    await expect(other).toHaveURL('/welcome');
  };
  const endSession = async () => {
    await context.clearCookies();
    await line.cut();
  };
  await page.goto('/home');
  await untilSaved(page);
  for (const [end, name] of [
    [logOut, 'Luna'],
    [endSession, 'Max'],
  ] as const) {
    const other = await context.newPage();
    await end(other);
    await expect(page).toHaveURL('/welcome');
    line.mend();
    await other.goto(await loginUrl(context, origin, email));
    await expect(other).toHaveURL('/home');
    await expect(page).toHaveURL('/home');
    await untilSaved(page);
    // The edits of this tab must be stored on the device, not only sent.
    await other.close();
    await line.cut();
    await addDog(page, { name, sound_type: 'leash_off' });
    await waitsForServer(page);
    await page.reload();
    await expect(dogRow(page, name)).toBeVisible();
    line.mend();
    await untilSaved(page);
  }
  expect((await call(listDogs)).dogs.map(({ name }) => name)).toEqual(['Rex', 'Luna', 'Max']);
});

test('a logout with unsaved changes asks for confirmation', async ({ owner }) => {
  const { page, context } = await owner();
  await page.goto('/home');
  await untilSaved(page);
  await context.setOffline(true);
  await addDog(page, { name: 'Rex', sound_type: 'leash_on' });
  await waitsForServer(page);
  const logout = page.getByRole('button', { name: 'Logout' });
  await logout.click();
  const question = page.getByRole('dialog', { name: 'Log out and lose changes?' });
  await expect(question).toContainText('Not saved on our server yet: 1 change.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(dogRow(page, 'Rex')).toBeVisible();
  await logout.click();
  await question.getByRole('button', { name: 'Log out' }).click();
  await expect(page).not.toHaveURL('/home');
});

test('a session that ended elsewhere signs out, and unsent changes return after the next sign-in', async ({
  owner,
}) => {
  const { page, context } = await owner();
  const line = await syncLine(context);
  await page.goto('/home');
  await untilSaved(page);
  await line.cut();
  await addDog(page, { name: 'Rex', sound_type: 'leash_on' });
  await waitsForServer(page);
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL('/welcome');
  await expect(screenHeading(page)).toBeVisible();
  await context.addCookies(cookies);
  line.mend();
  await page.goto('/home');
  await expect(dogRow(page, 'Rex')).toBeVisible();
  await untilSaved(page);
});

test('works when the browser stores nothing, and warns about it', async ({ owner }) => {
  const { page, context, call } = await owner();
  await context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Not in this window', 'SecurityError');
    };
  });
  await page.goto('/home');
  await expect(
    page.getByText(
      'This browser isn’t storing anything on this device. Unsaved changes will be lost',
    ),
  ).toBeVisible();
  await addDog(page, { name: 'Rex', sound_type: 'leash_on' });
  await untilSaved(page);
  expect((await call(listDogs)).dogs.map(({ name }) => name)).toContain('Rex');
  await expectAccessible(page);
});

offlineTest(
  'warns when there is no space left, and stores the edit once there is',
  async ({ owner }) => {
    const { page, context } = await owner();
    await page.goto('/home');
    await untilSaved(page);
    await untilStored(page);
    await page.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      Object.assign(window, { isFull: true });
      IDBObjectStore.prototype.put = function (...values) {
        if ((window as unknown as { isFull: boolean }).isFull)
          throw new DOMException('No room left', 'QuotaExceededError');
        return put.apply(this, values);
      };
    });
    await context.setOffline(true);
    await addDog(page, { name: 'Rex', sound_type: 'leash_on' });
    const notice = page.getByText('This browser can’t store your edits right now').first();
    await expect(notice).toBeVisible();
    await page.evaluate(() => Object.assign(window, { isFull: false }));
    await expect(notice).toBeHidden();
    await page.reload();
    await expect(dogRow(page, 'Rex')).toBeVisible();
  },
);
