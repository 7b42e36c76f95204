import { QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { onTestFinished, vi } from 'vitest';
import { queries } from '../client/platform/http/query-client.ts';
import { AuthProvider, loadSession } from '../client/platform/session/use-auth.tsx';

function Address() {
  const { pathname, search } = useLocation();
  return <output data-search={search}>{pathname}</output>;
}

/** Gives answers, which are not part of the fake clock, time to arrive. */
const settle = () =>
  act(async () => {
    for (let i = 0; i < 20; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(0);
    }
  });

/**
 * Renders a screen on a fake clock, in a file with the environment jsdom. Ends with the test.
 * @param answers the API's, by method and path, such as 'GET /api/session'; a function returns the whole response, or throws as
 * an unreachable server does; other calls get a 404
 */
export async function renderScreen(
  screen: ReactNode,
  { path = '/', answers = {} }: { path?: string; answers?: Record<string, object> } = {},
) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  // No one is signed in.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const name = `${method} ${url.replace(/\?.*/, '')}`;
    requests.push(name);
    const answer = answers[name];
    if (typeof answer === 'function') return (answer as () => Response)();
    return answer
      ? Response.json(answer)
      : Response.json({ error: 'Not found', code: 'not_found' }, { status: 404 });
  });
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    act(() => root.unmount());
    place.remove();
    queries.clear();
    localStorage.clear();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const session = await loadSession();
  act(() =>
    root.render(
      <AuthProvider session={session}>
        <QueryClientProvider client={queries}>
          <MemoryRouter initialEntries={[path]}>
            <Routes>
              <Route path={path.replace(/\?.*/, '')} element={screen} />
              <Route path="*" element={null} />
            </Routes>
            <Address />
          </MemoryRouter>
        </QueryClientProvider>
      </AuthProvider>,
    ),
  );
  await settle();
  const find = (selector: string): Element => {
    const found = place.querySelector(selector);
    if (!found) throw new Error(`${selector} is not shown: ${place.textContent}`);
    return found;
  };
  /** Returns the field whose label starts with this text. */
  const labelled = (text: string, selector: string): Element => {
    const label = [...place.querySelectorAll('label')].find((each) =>
      each.textContent?.trim().startsWith(text),
    );
    const field = label?.querySelector(selector) ?? place.querySelector(`[id="${label?.htmlFor}"]`);
    if (!field) throw new Error(`The field ${text} is not shown: ${place.textContent}`);
    return field;
  };
  async function enter(input: Element, value: string) {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value') ?? {};
    await act(async () => {
      set?.call(input, value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }
  return {
    requests,
    text: () => place.textContent ?? '',
    /** The text that describes an element to screen readers, such as the error of a field. */
    describedBy: (selector: string) =>
      (find(selector).getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' ')
        .trim(),
    address: () => find('output').textContent,
    search: () => find('output').getAttribute('data-search'),
    /** Lets a time pass, in milliseconds. */
    async pass(ms: number) {
      await act(() => vi.advanceTimersByTimeAsync(ms));
      await settle();
    },
    type: (selector: string, value: string) => enter(find(selector), value),
    valueOf: (label: string) => (labelled(label, 'input') as HTMLInputElement).value,
    /** Types into the field with this label. */
    fill: (label: string, value: string) => enter(labelled(label, 'input'), value),
    /** Selects an option of the select field with this label. */
    async choose(label: string, value: string) {
      const field = labelled(label, 'select');
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
      await act(async () => {
        set?.call(field, value);
        field.dispatchEvent(new Event('change', { bubbles: true }));
      });
    },
    /** Presses the checkbox with this label. */
    async check(label: string) {
      await act(async () => (labelled(label, 'input') as HTMLInputElement).click());
    },
    async paste(input: HTMLInputElement, text: string) {
      const event = new Event('paste', { bubbles: true, cancelable: true });
      Object.assign(event, { clipboardData: { getData: () => text } });
      await act(async () => input.dispatchEvent(event));
    },
    async openTab(name: string) {
      const tab = [...place.querySelectorAll('[role=tab]')].find((each) =>
        each.textContent?.includes(name),
      );
      // Tabs open on the press of the mouse, not on its release.
      await act(async () => tab?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })));
      await settle();
    },
    async press(label: string) {
      const button = [...place.querySelectorAll('button')].find((each) =>
        each.textContent?.includes(label),
      );
      if (!button) throw new Error(`The button ${label} is not shown: ${place.textContent}`);
      await act(async () => button.click());
      await settle();
    },
  };
}
