// @vitest-environment jsdom
import type { ReactNode } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { LocalFields } from '../../client/features/advertisers/local-fields.tsx';
import { emptyDraft } from '../../client/features/advertisers/signup/draft.ts';
import { AlertForm } from '../../client/features/alerts/alert-form.tsx';
import { HazardForm } from '../../client/features/hazards/hazard-form.tsx';
import { renderScreen } from '../render-screen.tsx';

const nothing = () => {};

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
  const coords = { latitude: 41.8785, longitude: -87.6298, accuracy: 5 };
  const getCurrentPosition = (done: PositionCallback) => done({ coords } as GeolocationPosition);
  Object.defineProperty(navigator, 'geolocation', {
    value: { getCurrentPosition },
    configurable: true,
  });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'geolocation'));
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
