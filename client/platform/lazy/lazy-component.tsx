// oxlint-disable-next-line eslint/no-restricted-imports -- the only place
import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorBanner } from '../ui/feedback/error-banner.tsx';
import { importEventually, importWithRetry } from './import-with-retry.ts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A lazily loaded tab or dialog, with retries; while it loads, `LoadingBar` is shown, and `fallback` in its place. If it can't be
 * loaded, it says so in its place. What is around it goes on: a walk, or a form with what was typed (decision 110).
 */
export function lazyComponent<Props extends object>(
  load: Load<Props>,
  fallback: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  return inItsPlace(lazyPart(load, false), fallback);
}

/** As `lazyComponent`, for a whole screen. */
export const lazyScreen = <Props extends object>(load: Load<Props>): ComponentType<Props> =>
  lazyPart(() => {
    void importEventually(guard);
    return load();
  }, true);

/** Screens that replace each other guard presses. The landing page does without its code. */
const guard = () => import('../ui/navigation/press-guard.ts').then((it) => it.guardPresses());

function lazyPart<Props extends object>(
  load: Load<Props>,
  isScreen: boolean,
): ComponentType<Props> {
  const create = () =>
    lazy(() =>
      importWithRetry(load).catch((cause: unknown) => {
        throw new NotLoaded('A part of the app didn’t load', { cause });
      }),
    );
  let Part = create();
  // React remembers that it failed.
  const renew = () => void (Part = create());
  return (props) => (
    <LoadBoundary onFailure={renew} isScreen={isScreen}>
      {() => <Part {...props} />}
    </LoadBoundary>
  );
}

/**
 * Lazily loaded content that nobody has opened, such as further down on a page. Until it is loaded, `fallback` is in its place.
 * Without a network, it is tried again.
 */
export function optionalComponent<Props extends object>(
  load: Load<Props>,
  fallback: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  return inItsPlace(
    lazy(() => importEventually(load)),
    fallback,
  );
}

const inItsPlace =
  <Props extends object>(
    Part: ComponentType<Props>,
    fallback: (props: Props) => ReactNode,
  ): ComponentType<Props> =>
  (props) => (
    <Suspense fallback={fallback(props)}>
      <Part {...props} />
    </Suspense>
  );

const NOT_LOADED = 'This part of the app didn’t load';

class NotLoaded extends Error {}

class LoadBoundary extends Component<
  { children: () => ReactNode; onFailure: () => void; isScreen: boolean },
  { failure: unknown }
> {
  override state = { failure: null };

  static getDerivedStateFromError(failure: unknown) {
    return { failure };
  }

  override componentDidCatch(error: unknown) {
    if (!(error instanceof NotLoaded)) return;
    this.props.onFailure();
    reportError(error.cause);
  }

  readonly #retry = () => this.setState({ failure: null });

  override render() {
    const failure: unknown = this.state.failure;
    if (failure === null) return this.props.children();
    // Of an outer boundary.
    if (!(failure instanceof NotLoaded)) throw failure;
    const notice = (
      <div
        ref={(banner) => banner?.scrollIntoView({ block: 'nearest' })}
        className="mx-auto w-full max-w-lg scroll-mb-24 py-4"
      >
        <ErrorBanner
          title={NOT_LOADED}
          action={
            <Button look="secondary" onClick={this.#retry}>
              Try again
            </Button>
          }
        >
          Check your connection. If it still doesn’t load, reload the page: there may be a newer
          version.
        </ErrorBanner>
      </div>
    );
    if (!this.props.isScreen) return notice;
    return (
      <main id="main" tabIndex={-1} className="px-4">
        <h1 className="sr-only">{NOT_LOADED}</h1>
        {notice}
      </main>
    );
  }
}
