import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { Screen } from './screen.tsx';

/** The layout of public screens. `corner` is shown opposite the logo. */
export function PublicPage({
  title,
  corner,
  children,
}: {
  title: string;
  corner?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-5xl flex-col px-4 pt-[env(safe-area-inset-top)] pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:px-6">
      <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-4">
        <Logo to="/" />
        {corner}
      </header>
      <Screen title={title} className="flex-1">
        {children}
      </Screen>
    </div>
  );
}
