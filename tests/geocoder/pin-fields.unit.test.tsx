// @vitest-environment jsdom
import type { ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalFields } from '../../client/features/advertisers/local-fields.tsx';
import { emptyDraft } from '../../client/features/advertisers/signup/draft.ts';
import { AlertForm } from '../../client/features/alerts/alert-form.tsx';
import { HazardForm } from '../../client/features/hazards/hazard-form.tsx';
import type { Position } from '../../client/platform/position/find-position.ts';
import { renderScreen } from '../render-screen.tsx';

const nothing = () => {};

/** Gives the device these positions, one after the other, the last one again and again; null for a failure. */
function placeDevice(positions: (Position | null)[]) {
  const left = [...positions];
  const getCurrentPosition = (done: PositionCallback, fail: PositionErrorCallback) => {
    const coords = left.length > 1 ? left.shift() : left[0];
    if (coords) done({ coords } as GeolocationPosition);
    else fail({ code: 2 } as GeolocationPositionError);
  };
  vi.stubGlobal('GeolocationPositionError', Error);
  Object.defineProperty(navigator, 'geolocation', {
    value: { getCurrentPosition },
    configurable: true,
  });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'geolocation'));
}

test.each<[string, string, ReactNode]>([
  [
    'a business',
    'Where your business is',
    <LocalFields key="local" local={emptyDraft.local} fields={{}} change={nothing} />,
  ],
  ['an alert', 'Affected area', <AlertForm key="alert" onDone={nothing} onCancel={nothing} />],
  ['a hazard', 'Where it is', <HazardForm key="hazard" onDone={nothing} />],
])('the form of %s takes its point from a pin on a map', async (_, legend, form) => {
  const screen = await renderScreen(form);
  expect(screen.text()).toContain(legend);
  expect(screen.text()).toContain('Choose on map');
});

test('a hazard without a point is filled in where the device is, and sent only when its author confirms it', async () => {
  placeDevice([{ latitude: 41.8785, longitude: -87.6298, accuracy: 5 }]);
  const screen = await renderScreen(<HazardForm onDone={nothing} />, {
    answers: {
      'GET /api/geocoder/reverse': {
        address: '1 State Street',
        town: { name: 'Chicago', detail: 'Illinois', miles: 0.2 },
        attributions: [],
      },
    },
  });
  await screen.check('Broken glass');
  await screen.press('Report hazard');
  expect(screen.text()).toContain('This is where you are now.');
  expect(screen.text()).toContain('41.87850, -87.62980');
  await screen.pass(600);
  expect(screen.text()).toContain('1 State Street');
  expect(screen.text()).toContain('In Chicago, Illinois');
  // Nothing was tried before: only now is it to be stored, which needs someone who is signed in.
  expect(screen.text()).not.toContain('Failed to report the hazard');
  await screen.press('Report hazard');
  expect(screen.text()).toContain('Failed to report the hazard');
});

const opened = { latitude: 41.8785, longitude: -87.6298, accuracy: 5 };
const goneOn = { latitude: 41.89, longitude: -87.64, accuracy: 300 };
const CHECK = 'This is where you are now.';

test('a hazard where the walker is has the point of the moment it is sent, and is checked on the map if that is rough', async () => {
  placeDevice([opened, goneOn]);
  const screen = await renderScreen(<HazardForm onDone={nothing} isHere />);
  await screen.check('Broken glass');
  expect(screen.text()).toContain('Where you are now');
  await screen.press('Report hazard');
  expect(screen.text()).toContain(CHECK);
  expect(screen.text()).toContain('41.89000, -87.64000');
  await screen.press('Report hazard');
  expect(screen.text()).toContain('Failed to report the hazard');
});

test('a hazard where the walker is has the point of the moment the form opened if there is no other one', async () => {
  placeDevice([{ ...opened, accuracy: 300 }, null]);
  const screen = await renderScreen(<HazardForm onDone={nothing} isHere />);
  await screen.check('Broken glass');
  await screen.press('Report hazard');
  expect(screen.text()).toContain(CHECK);
  expect(screen.text()).toContain('41.87850, -87.62980');
});

test('a hazard where the walker is is sent at once if the point is accurate', async () => {
  placeDevice([opened]);
  const screen = await renderScreen(<HazardForm onDone={nothing} isHere />);
  await screen.check('Broken glass');
  await screen.press('Report hazard');
  expect(screen.text()).not.toContain(CHECK);
  expect(screen.text()).toContain('Failed to report the hazard');
});
