import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { initialAccount, type AccountDocument } from '#shared/account/document.ts';
import {
  readQuietPlaces,
  readSettings,
  settingsChanges,
  USUAL_SETTINGS,
} from '#shared/settings/document.ts';
import { QUIET_PLACES_MAX } from '#shared/settings/rules.ts';

type Account = A.Doc<AccountDocument>;
const from = (account: AccountDocument) => A.from({ ...account }) as unknown as Account;
const fresh = () => from(initialAccount('user'));
/** An account without the later fields for quiet places and sounds. */
function old(): Account {
  const { kind, user_id, settings } = initialAccount('user');
  return from({ kind, user_id, settings });
}

function change(account: Account, name: keyof typeof settingsChanges, input: unknown): Account {
  const { input: schema, apply } = settingsChanges[name];
  const parsed = schema.parse(input);
  return A.change(account, (draft) =>
    (apply as (doc: unknown, input: unknown) => void)(draft, parsed),
  );
}

const home = { id: 'home', name: 'Home', latitude: 47.1, longitude: 8.5, radius_feet: 500 };

test('default settings are 100 feet, volume 0.8 and all channels on', () => {
  expect(readSettings(fresh())).toEqual({
    alert_radius_feet: 100,
    volume: 0.8,
    sounds: true,
    speech: true,
    vibration: true,
    silence_friends: false,
    is_nameless: false,
    units: 'automatic',
  });
  for (const none of [null, {}, { settings: 'x' }, { settings: { volume: 'loud', speech: 1 } }])
    expect(readSettings(none)).toEqual(USUAL_SETTINGS);
});

test('settings changed on two offline devices both survive', () => {
  const start = fresh();
  const phone = change(A.clone(start), 'settings.save', { alert_radius_feet: 250 });
  const tablet = change(A.clone(start), 'settings.save', { volume: 0.3, speech: false });
  expect(readSettings(A.merge(phone, tablet))).toEqual({
    ...USUAL_SETTINGS,
    alert_radius_feet: 250,
    volume: 0.3,
    speech: false,
  });
});

test.each([
  [{ alert_radius_feet: 9 }],
  [{ alert_radius_feet: 501 }],
  [{ alert_radius_feet: 99.5 }],
  [{ volume: -0.1 }],
  [{ volume: 1.1 }],
  [{ speech: 'no' }],
])('rejects the settings %j and ignores them when reading', (wrong) => {
  expect(() => change(fresh(), 'settings.save', wrong)).toThrow();
  expect(readSettings({ settings: wrong })).toEqual(USUAL_SETTINGS);
});

test('the volume is rounded to steps of 0.1', () => {
  const volumes = [0, 0.1, 0.30000000000000004, 0.66, 1].map(
    (volume) => readSettings(change(fresh(), 'settings.save', { volume })).volume,
  );
  expect(volumes).toEqual([0, 0.1, 0.3, 0.7, 1]);
});

test('the alert radius accepts 10 and 500 feet', () => {
  for (const alert_radius_feet of [10, 500])
    expect(
      readSettings(change(fresh(), 'settings.save', { alert_radius_feet })).alert_radius_feet,
    ).toBe(alert_radius_feet);
});

test('setting the current value makes no change', () => {
  const account = change(fresh(), 'settings.save', { volume: 0.5 });
  const heads = A.getHeads(account);
  expect(A.getHeads(change(account, 'settings.save', { volume: 0.5 }))).toEqual(heads);
});

test.each([
  ['new', fresh],
  ['old', old],
])('adds, edits and removes quiet places in a %s account', (_, account) => {
  let now = change(account(), 'quiet-place.add', { ...home, name: '  Home ' });
  now = change(now, 'quiet-place.add', { ...home, id: 'garden', name: 'Garden' });
  expect(readQuietPlaces(now).map(({ name }) => name)).toEqual(['Garden', 'Home']);
  expect(readQuietPlaces(now)[1]).toEqual(home);
  now = change(now, 'quiet-place.edit', { id: 'home', name: 'Grandma', radius_feet: 1000 });
  now = change(now, 'quiet-place.edit', { id: 'nowhere', name: 'Nothing' });
  now = change(now, 'quiet-place.remove', { id: 'garden' });
  now = change(now, 'quiet-place.remove', { id: 'garden' });
  expect(readQuietPlaces(now)).toEqual([{ ...home, name: 'Grandma', radius_feet: 1000 }]);
});

test('quiet places added on two offline devices both survive', () => {
  const start = fresh();
  const phone = change(A.clone(start), 'quiet-place.add', home);
  const tablet = change(A.clone(start), 'quiet-place.add', { ...home, id: 'work', name: 'Work' });
  expect(readQuietPlaces(A.merge(phone, tablet)).map(({ id }) => id)).toEqual(['home', 'work']);
});

test('allows ten quiet places', () => {
  let account = fresh();
  for (let index = 0; index < QUIET_PLACES_MAX + 3; index += 1)
    account = change(account, 'quiet-place.add', { ...home, id: `place-${index}` });
  expect(readQuietPlaces(account)).toHaveLength(10);
});

test.each([
  [{ name: ' ' }],
  [{ name: 'x'.repeat(51) }],
  [{ latitude: 91 }],
  [{ longitude: -181 }],
  [{ radius_feet: 199 }],
  [{ radius_feet: 2641 }],
  [{ id: 'a b' }],
])('rejects a quiet place with %j and ignores it when reading', (wrong) => {
  const place = { ...home, ...wrong };
  expect(() => change(fresh(), 'quiet-place.add', place)).toThrow();
  expect(readQuietPlaces({ quiet_places: { [place.id]: place } })).toEqual([]);
});
