// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { SavedViews } from '../../client/platform/admin/saved/saved-views.tsx';
import { renderScreen } from '../render-screen.tsx';

test('a view keeps no search: it names people, who may delete their account', async () => {
  const screen = await renderScreen(<SavedViews isChosen />, {
    path: '/admin?tab=people&status=active&search=sam%40example.com&cursor=abc',
    answers: {
      'GET /api/admin/saved': {
        saved: [{ id: 'a', name: 'Active', text: 'status=active&tab=people' }],
      },
    },
  });
  // What would be saved is what this view has.
  expect(screen.text()).toContain('Delete this view');
  expect(screen.text()).not.toContain('Save this view');
});
