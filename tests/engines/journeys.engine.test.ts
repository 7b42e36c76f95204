import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createDog } from '#shared/dogs/contract.ts';
import { createLocation } from '#shared/locations/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { makeCode, signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import { befriend } from '../friends/befriend.ts';
import type { Engine } from './engine.ts';
import { journeys } from './engines.ts';
import { openProduct, type Product } from './product.ts';
import { freshEmail, passGate, signIn } from './steps.ts';
import { Tab } from './tab.ts';

const PICTURE = join(import.meta.dirname, '../../client/public/icons/maskable-512.png');
const ROOT = join(import.meta.dirname, '../..');
const button = (name: string) => ({ role: 'button', name }) as const;
const heading = (name: string) => ({ role: 'heading', name }) as const;

let product: Product;
afterEach(() => product.close());

/** An account with a profile and a dog. */
async function person(name: string, dog = 'Bella'): Promise<Visitor & { email: string }> {
  const email = freshEmail(name);
  const visitor = await signInMember(product.origin, email);
  await visitor.call(saveProfile, {
    body: { display_name: name, is_location_sharing_enabled: false },
  });
  await visitor.call(createDog, { body: { name: dog, sound_type: 'leash_off' } });
  return { ...visitor, email };
}

/** A new device of this person, signed in and at home. */
async function deviceOf(engine: Engine, { email }: { email: string }): Promise<Tab> {
  const tab = new Tab(await engine.open(), product.origin);
  onTestFinished(() => tab.driver.close());
  await passGate(tab, await makeCode(product.origin, 1));
  await signIn(tab, email);
  await tab.at('/home');
  return tab;
}

const untilSaved = (tab: Tab) => tab.see(button('Saved'));

/** Waits until the app works without a network. */
const untilStored = (tab: Tab) =>
  tab.until('store the app', () => navigator.serviceWorker.controller?.state === 'activated');

describe.each(journeys)('in $title', ({ engine, scheme }) => {
  beforeEach(async () => {
    product = await openProduct(scheme);
  });

  test('a dog gets a picture', async () => {
    const tab = await deviceOf(engine, await person('Sam', 'Rex'));
    await tab.tap(button('Edit Rex'));
    await tab.choose('photo', PICTURE);
    await tab.until(
      'preview the picture',
      () => document.querySelector('img[src^="blob:"]') !== null,
    );
    await tab.tap(button('Save'));
    await untilSaved(tab);
    const size = await tab.until('show the picture of the server', () => {
      const picture = document.querySelector<HTMLImageElement>('img[src^="/api/files/"]');
      return picture?.complete && picture.naturalWidth;
    });
    expect(size).toBeGreaterThan(100);
  });

  test('two friends chat', async () => {
    const [sam, ana] = [await person('Sam'), await person('Ana')];
    await befriend(sam, ana);
    const [one, other] = await Promise.all([deviceOf(engine, sam), deviceOf(engine, ana)]);
    for (const [tab, friend] of [
      [one, ana],
      [other, sam],
    ] as const) {
      await tab.goto(`/chat/${friend.user.id}`);
      await tab.tap(button('Read the guidelines'));
      await tab.until('load the guidelines', () => {
        const text = document.querySelector('[role=region][aria-label=Guidelines]');
        text?.scrollTo(0, text.scrollHeight);
        return Boolean(text?.querySelector('h2, h3, h4'));
      });
      await tab.tap({ role: 'checkbox', name: 'I have read these guidelines' });
      await tab.tap(button('Accept'));
    }
    await one.type('Message to Ana', 'Shall we walk?');
    await one.tap(button('Send'));
    await other.see({ text: 'Shall we walk?' });
    await one.see({ text: 'Read' });
    await other.type('Message to Sam', 'At ten');
    await other.tap(button('Send'));
    await expect(one.see({ text: 'At ten' })).resolves.toBeUndefined();
  });

  test('works without a connection after a reload, and sends what was written then', async () => {
    const sam = await person('Sam', 'Rex');
    const tab = await deviceOf(engine, sam);
    await untilSaved(tab);
    await untilStored(tab);
    await product.disconnect();
    await tab.reload();
    await tab.see(heading('Welcome, Sam'));
    await tab.tap(button('Edit Rex'));
    await tab.type('Dog name', 'Max');
    await tab.tap(button('Save'));
    await tab.see(button('Edit Max'));
    await tab.reload();
    await tab.see(button('Edit Max'));
    await tab.see(button('Offline'));
    await product.reconnect();
    await untilSaved(tab);
    const again = await deviceOf(engine, sam);
    await expect(again.see(button('Edit Max'))).resolves.toBeUndefined();
  });

  test('places are in the list and on the map', async () => {
    const sam = await person('Sam');
    const here = { latitude: 40 + Math.random() * 10, longitude: -100 + Math.random() * 10 };
    await sam.call(createLocation, {
      body: { name: 'Otter Meadow', location_type: 'park', ...here },
    });
    const tab = await deviceOf(engine, sam);
    await tab.goto('/locations');
    await stayAt(tab, here);
    await tab.see(heading('Otter Meadow'));
    await tab.until('draw the map', () => {
      const map = document.querySelector('[role=region][aria-label*=ap], .leaflet-container');
      return map && map.getBoundingClientRect().height > 100;
    });
    await tab.tap(button('Otter Meadow'));
    await expect(tab.see(heading('Otter Meadow'))).resolves.toBeUndefined();
  });

  test('a walker is warned by screen, speech, sound, notification, and vibration, where there is each', async () => {
    const sam = await person('Sam');
    const here = { latitude: 30 + Math.random() * 10, longitude: 60 + Math.random() * 10 };
    const tab = await deviceOf(engine, sam);
    await stayAt(tab, here);
    await tab.evaluate(() => {
      const outputs: string[] = [];
      Object.assign(globalThis, { outputs });
      if ('speechSynthesis' in globalThis) {
        // WebKit forgets what is set on the object itself.
        const prototype = Object.getPrototypeOf(speechSynthesis) as SpeechSynthesis;
        const { speak } = prototype;
        prototype.speak = function speakRecorded(utterance) {
          if (utterance.text) outputs.push(`speech: ${utterance.text}`);
          speak.call(this, utterance);
        };
      }
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function startRecorded(when) {
        outputs.push('sound');
        start.call(this, when);
      };
      if (typeof navigator.vibrate === 'function')
        Navigator.prototype.vibrate = () => outputs.push('vibration') > 0;
      // A browser that is driven grants no permission.
      if ('Notification' in globalThis)
        Object.defineProperty(globalThis, 'Notification', {
          value: class extends EventTarget {
            static readonly permission = 'granted';
            constructor(title: string) {
              super();
              outputs.push(`notification: ${title}`);
            }
            close() {}
          },
        });
    });
    await tab.tap(button('Start walk'));
    await tab.see({ text: 'Location tracking active' });
    const command = '--import tsx scripts/cli/simulate-walker.ts --from-meters 60 --dog Rex';
    const to = `${here.latitude},${here.longitude}`;
    const args = [...command.split(' '), '--origin', product.origin, '--to', to];
    const walker = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
    onTestFinished(() => void walker.kill());
    await tab.see({ text: 'Rex needs space' });
    const outputs = await tab.until('speak, sound, notify and vibrate', () => {
      const all = (globalThis as unknown as { outputs: string[] }).outputs;
      const has = (kind: string) => all.some((each) => each.startsWith(kind));
      // Without a voice, nothing can be said.
      const canSpeak = 'speechSynthesis' in globalThis && speechSynthesis.getVoices().length > 0;
      // Firefox plays nothing on a machine without a sound card. Then the screen says so.
      const isHeard = has('sound') || document.body.innerText.includes('Sound is blocked');
      const isDone =
        isHeard &&
        (has('speech: Rex needs space') || !canSpeak) &&
        (has('notification: HIGH: Rex needs space') || !('Notification' in globalThis)) &&
        (has('vibration') || typeof navigator.vibrate !== 'function');
      return isDone ? all : null;
    });
    expect(outputs?.filter((each) => each.includes('needs space')).length).toBeGreaterThan(0);
  });

  test('settings survive signing out and in', async () => {
    const sam = await person('Sam');
    const tab = await deviceOf(engine, sam);
    await tab.goto('/settings');
    const sound = { role: 'switch', name: 'Alert sounds' } as const;
    const isOn = () =>
      [...document.querySelectorAll('[role=switch]')].map((each) =>
        each.getAttribute('aria-checked'),
      );
    await tab.see(sound);
    const before = await tab.evaluate(isOn);
    await tab.tap(sound);
    await untilSaved(tab);
    const changed = await tab.evaluate(isOn);
    expect(changed).not.toEqual(before);
    await tab.goto('/settings#account');
    await tab.tap(button('Logout'));
    await tab.at('/welcome');
    await signIn(tab, sam.email);
    await tab.goto('/settings');
    await tab.see(sound);
    expect(await tab.until('load the settings', isOn)).toEqual(changed);
  });

  test('a new version waits until its user reloads', async () => {
    const tab = await deviceOf(engine, await person('Sam'));
    await untilSaved(tab);
    await untilStored(tab);
    await tab.evaluate(() => void Object.assign(globalThis, { isOldPage: true }));
    await product.update();
    await tab.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await tab.see({ text: 'A new version is ready.' });
    expect(await tab.evaluate(() => 'isOldPage' in globalThis)).toBe(true);
    await tab.tap(button('Reload'));
    await tab.until('load the new version', () => !('isOldPage' in globalThis));
    await untilSaved(tab);
  });
});

/** Puts the device somewhere; engines differ in how their drivers do that, and WebKit's can't. */
async function stayAt(tab: Tab, place: { latitude: number; longitude: number }): Promise<void> {
  await tab.evaluate((coords) => {
    const position = () => ({
      coords: { ...coords, accuracy: 5, speed: null, heading: null, altitude: null },
      timestamp: Date.now(),
    });
    const geolocation = {
      getCurrentPosition: (found: (at: unknown) => void) =>
        void setTimeout(() => found(position())),
      watchPosition(found: (at: unknown) => void) {
        found(position());
        return setInterval(() => found(position()), 1_000);
      },
      clearWatch: (id: ReturnType<typeof setInterval>) => clearInterval(id),
    };
    Object.defineProperty(navigator, 'geolocation', { value: geolocation, configurable: true });
    const query = navigator.permissions?.query.bind(navigator.permissions);
    if (query)
      navigator.permissions.query = async (what) =>
        what.name === 'geolocation'
          ? Object.assign(new EventTarget(), {
              name: what.name,
              state: 'granted',
              onchange: null,
            } as never)
          : query(what);
  }, place);
}
