// @vitest-environment jsdom
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { LocalFields } from '../../client/advertisers/local-fields.tsx';
import { emptyDraft } from '../../client/advertisers/signup/draft.ts';
import { AlertForm } from '../../client/alerts/alert-form.tsx';
import { HazardForm } from '../../client/hazards/hazard-form.tsx';
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
