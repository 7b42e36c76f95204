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
import { caller } from '../client/platform/http/api-client.ts';
import { ADMIN_EMAIL, signInCode } from '../scripts/session/api-session.ts';

export interface OwnerSettings {
  /** The display name; the account's email is made from it. Default Sam. */
  name?: string;
  /** The dogs of the owner. Default one friendly dog named Bella. */
  dogs?: DogFields[];
  /** Whether the profile shares its location, and this browser has started a walk. Default false. */
  sharing?: boolean;
  /** The position of the device. Grants the permission, too. */
  at?: Place;
  /** Whether the owner has a profile. Without one, onboarding is not done. Default true. */
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
  /** The origin of the product. */
  origin: string;
  /** Calls the api as the admin does. */
  admin: Pick<Owner, 'call'>;
  /** An access code without a use limit. */
  code: string;
}

interface Fixtures {
  /** Makes an access code, as the admin does. */
  makeCode: (settings?: { max_uses?: number }) => Promise<string>;
  /** A signed-in owner past the gate, in a browser of their own; the page is not opened yet. */
  owner: (settings?: OwnerSettings) => Promise<Owner>;
  /** Signs in the owner, or any email, on another device. */
  device: (owner: Pick<Owner, 'email'>, options?: BrowserContextOptions) => Promise<Owner>;
}

/** What comes before the @ of an address has at most 64 characters. */
const LOCAL_PART_MAX = 50;

/** An email address that no other test uses. */
export const freshEmail = (name: string): string =>
  `${name.toLowerCase().replace(/\W+/g, '.').slice(0, LOCAL_PART_MAX)}.${randomUUID().slice(0, 8)}@example.com`;

/** The heading of a screen, once it is loaded. */
export const screenHeading = (page: Page) =>
  page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading…' });

/** Waits until the service worker controls the page, so that the app works offline. */
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

/** Starts a walk in a browser whose page isn't open yet, once. */
const walkWith = ({ context, user }: Pick<Owner, 'context' | 'user'>): Promise<unknown> =>
  context.addInitScript((key) => {
    if (localStorage.getItem('test-walk') || location.protocol === 'about:') return;
    localStorage.setItem('test-walk', 'begun');
    localStorage.setItem(key, 'true');
  }, `cache-${user.id}-walking`);

/** Grants geolocation and sets the position of a browser. */
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

/** Signs in through the mock provider without its screens. The cookies are stored in `request`. */
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

/** Returns the sign-in URL for this email, which leads back to the app's callback. */
export async function loginUrl(
  context: BrowserContext,
  origin: string,
  email: string,
): Promise<string> {
  const call = callAs(context.request, origin);
  return (await call(redirectUrl, { query: { login_hint: email } })).redirectUrl;
}

/** The minified axe is half as long, and every page has to parse it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules to check in each color scheme. Null means all. */
const ONLY = { light: null, dark: { type: 'rule' as const, values: ['color-contrast'] } };

/**
 * Expects no axe violations in the light and dark schemes. Dark can only break the contrast, so the other rules
 * are checked once.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Transitions between the schemes would cause wrong contrast.
    await page.evaluate(() => {
      const noTransitions = new CSSStyleSheet();
      noTransitions.replaceSync('*, ::before, ::after { transition: none !important }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, noTransitions];
    });
    // Evaluates axe in the page only, since there are no frames.
    await page.evaluate(`${AXE};0`);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // A list that loads its next page is dimmed, so violations are checked a second time.
    const found = await violationsOf(page, colorScheme);
    expect(found.length > 0 ? await violationsOf(page, colorScheme) : found).toEqual([]);
  }
}

async function violationsOf(page: Page, scheme: keyof typeof ONLY) {
  await expect(page.locator('div[aria-busy="true"]')).toHaveCount(0);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    // Only violations are reported in detail. Preloading style sheets and media would only serve two rules, on locks of the
    // screen orientation and on autoplaying sound. The app has neither.
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
      if (sharing) await walkWith(owner);
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

/** For owners in an {@link offlineTest} whose app isn't opened without a network: storing the app takes two seconds of CPU. */
export const notStored: BrowserContextOptions = { serviceWorkers: 'block' };

/** A test that needs the service worker. See {@link untilStored}. */
export const offlineTest = test.extend({ serviceWorkers: 'allow' });

export { expect } from '@playwright/test';
