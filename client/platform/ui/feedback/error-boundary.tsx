import { Component, type ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { ErrorBanner } from './error-banner.tsx';

/** Shows an error message in place of content that failed to render. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown) {
    // As if no one had caught it: it gets into the console, and is reported.
    reportError(error);
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="mx-auto max-w-lg p-4">
        <ErrorBanner
          title="This part of the app stopped working"
          action={
            <Button look="secondary" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          What you saved is safe. Reloading usually helps: there may be a newer version. If you’re
          offline, wait until you’re back online.
        </ErrorBanner>
      </div>
    );
  }
}
