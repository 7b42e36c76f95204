import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  test as base,
  expect,
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import type axe from 'axe-core';
import { createCode } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import { createDog, type DogFields } from '#shared/dogs/contract.ts';
import type { Place } from '#shared/place.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { createSession, redirectUrl, type CurrentUser } from '#shared/session/contract.ts';
import { caller } from '../client/http/api-client.ts';
import { ADMIN_EMAIL, signInCode } from '../scripts/cli/api-session.ts';

export interface OwnerSettings {
  /** The display name; the account's email is made from it. Default Sam. */
  name?: string;
  /** Default one friendly dog named Bella; none with an empty list. */
  dogs?: DogFields[];
  /** Whether the profile shares its location. Default false. */
  sharing?: boolean;
  /** Where the device is; grants the permission too. */
  at?: Place;
  /** Left out, there is no profile: onboarding is still to do. Default true. */
  profile?: boolean;
  context?: BrowserContextOptions;
}

export interface Owner {
  context: BrowserContext;
  page: Page;
  user: CurrentUser;
  email: string;
  /** Calls the api as this owner, with the context's cookies. */
  call: ReturnType<typeof caller>;
}

/** Made once for all tests of a worker. */
interface WorkerFixtures {
  /** Where the product is. */
  origin: string;
  /** Calls the api as the admin does. */
  admin: Pick<Owner, 'call'>;
  /** An access code that lets in as many as come. */
  code: string;
}

interface Fixtures {
  /** Makes an access code, as the admin does. */
  makeCode: (settings?: { max_uses?: number }) => Promise<string>;
  /** A signed-in owner past the gate, in a browser of their own; the page is not opened yet. */
  owner: (settings?: OwnerSettings) => Promise<Owner>;
  /** The same owner on another device, or whoever has an address on a first one. */
  device: (owner: Pick<Owner, 'email'>, options?: BrowserContextOptions) => Promise<Owner>;
}

/** An email address that no other test uses. */
export const freshEmail = (name: string): string =>
  `${name.toLowerCase().replace(/\W+/g, '.')}.${randomUUID().slice(0, 8)}@example.com`;

/** The app is kept on the device once its service worker has taken the page over. */
export const untilStored = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

/** Names of the app's databases in this browser that store anything, sorted: the one of documents stays when it is empty. */
export const usedDatabases = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name!);
    const used: string[] = [];
    for (const name of names.filter((each) => each.startsWith('leashwise-')).toSorted()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const count = await new Promise<number>((resolve) => {
        if (name !== 'leashwise-documents') return resolve(1);
        const request = database.transaction('chunks').objectStore('chunks').count();
        request.onsuccess = () => resolve(request.result);
      });
      database.close();
      if (count > 0) used.push(name);
    }
    return used;
  });

/** Puts a browser somewhere in the world. */
export async function position(context: BrowserContext, place: Place): Promise<void> {
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ ...place, accuracy: 5 });
}

/** Calls the api with the cookies of a browser or of a request context. */
function callAs(request: APIRequestContext, origin: string): ReturnType<typeof caller> {
  const send = async (url: string | URL | Request, init: RequestInit = {}) => {
    const answer = await request.fetch(String(url), {
      method: init.method,
      headers: init.headers as Record<string, string>,
      data: init.body as string | undefined,
    });
    return new Response(await answer.text(), { status: answer.status() });
  };
  return caller({ origin, fetch: send });
}

/** Signs in through the stand-in, without its screens: the cookies end up where `request` keeps them. */
async function signIn(
  request: APIRequestContext,
  origin: string,
  email: string,
): Promise<CurrentUser> {
  const call = callAs(request, origin);
  const locationOf = async (url: URL) =>
    (await request.get(url.href, { maxRedirects: 0 })).headers()['location'];
  const body = await signInCode(origin, call, email, locationOf);
  return (await call(createSession, { body })).user;
}

/** Where a browser goes to be signed in as somebody, back to the app's own callback. */
export async function loginUrl(
  context: BrowserContext,
  origin: string,
  email: string,
): Promise<string> {
  const call = callAs(context.request, origin);
  return (await call(redirectUrl, { query: { login_hint: email } })).redirectUrl;
}

/** Half as long as the one with comments, which each page would have to read. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules to look at in each scheme; null: all. */
const ONLY = { light: null, dark: { type: 'rule' as const, values: ['color-contrast'] } };

/**
 * The screen has nothing that axe finds, in light and in dark. What dark can break is contrast: the rest is the same
 * page, and is looked at once.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // A colour that is still on its way to the other scheme is none that anybody reads.
    await page.evaluate(() => {
      const still = new CSSStyleSheet();
      still.replaceSync('*, ::before, ::after { transition: none !important }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
    });
    // All frames would be of our own origin, and there are none.
    await page.evaluate(`${AXE};0`);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // A list whose next page is on its way is dimmed: what was met in that moment is looked at once more.
    const found = await violationsOf(page, colorScheme);
    expect(found.length > 0 ? await violationsOf(page, colorScheme) : found).toEqual([]);
  }
}

async function violationsOf(page: Page, scheme: keyof typeof ONLY) {
  await expect(page.locator('div[aria-busy="true"]')).toHaveCount(0);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    // What is in order is not told in detail. Style sheets and media are loaded again for two rules only: on locks of the
    // screen's orientation, and on sound that plays by itself. We have neither.
    const options: axe.RunOptions = {
      resultTypes: ['violations'],
      preload: false,
      ...(runOnly && { runOnly }),
    };
    return (await inPage.run(document, options)).violations;
  }, ONLY[scheme]);
  return violations.map(({ id, nodes }) => ({
    scheme,
    rule: id,
    where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
  }));
}

async function open(
  browser: Browser,
  origin: string,
  email: string,
  options: BrowserContextOptions = {},
): Promise<Owner> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  const user = await signIn(context.request, origin, email);
  const page = await context.newPage();
  return { context, page, user, email, call: callAs(context.request, origin) };
}

/** Makes an access code that no other test uses. */
async function makeCodeAs(
  { call }: Pick<Owner, 'call'>,
  settings: { max_uses?: number } = {},
): Promise<string> {
  const code = `T-${randomUUID().slice(0, 12).toUpperCase()}`;
  await call(createCode, { body: { code, ...settings } });
  return code;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  origin: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that this needs no other fixture.
    async ({}, provide, { project }) => {
      const { baseURL } = project.use;
      if (!baseURL) throw new Error('playwright.config.ts gives no baseURL');
      await provide(baseURL);
    },
    { scope: 'worker' },
  ],

  admin: [
    async ({ playwright, origin }, provide) => {
      const request = await playwright.request.newContext({ baseURL: origin });
      await signIn(request, origin, ADMIN_EMAIL);
      await provide({ call: callAs(request, origin) });
      await request.dispose();
    },
    { scope: 'worker' },
  ],

  code: [async ({ admin }, provide) => provide(await makeCodeAs(admin)), { scope: 'worker' }],

  makeCode: async ({ admin }, provide) => {
    await provide((settings) => makeCodeAs(admin, settings));
  },

  owner: async ({ browser, origin, code, serviceWorkers }, provide) => {
    const opened: Owner[] = [];
    await provide(async (settings = {}) => {
      const { name = 'Sam', sharing = false, profile = true } = settings;
      const { dogs = [{ name: 'Bella', sound_type: 'leash_off' }], at, context } = settings;
      const owner = await open(browser, origin, freshEmail(name), { serviceWorkers, ...context });
      opened.push(owner);
      await owner.call(validateCode, { body: { code } });
      if (profile) {
        const fields = { display_name: name, is_location_sharing_enabled: sharing };
        await owner.call(saveProfile, { body: fields });
        for (const dog of dogs) await owner.call(createDog, { body: dog });
      }
      if (at) await position(owner.context, at);
      return owner;
    });
    for (const { context } of opened) await context.close();
  },

  device: async ({ browser, origin, serviceWorkers }, provide) => {
    const opened: Owner[] = [];
    await provide(async ({ email }, options) => {
      const owner = await open(browser, origin, email, { serviceWorkers, ...options });
      opened.push(owner);
      return owner;
    });
    for (const { context } of opened) await context.close();
  },
});

/** For what stands on the app being kept on the device: see {@link untilStored}. */
export const offlineTest = test.extend({ serviceWorkers: 'allow' });

export { expect } from '@playwright/test';
