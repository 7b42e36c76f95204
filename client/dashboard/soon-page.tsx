import { Construction } from 'lucide-react';
import { ButtonLink } from '../ui/button.tsx';
import { Screen } from '../ui/screen.tsx';

/** A screen behind the gate that is promised and not there yet: it says so, and leads back. */
export default function SoonPage({ title, what }: { title: string; what: string }) {
  return (
    <Screen title={title} className="px-4 pb-4 sm:px-6">
      <div className="mx-auto flex max-w-md flex-col items-center gap-5 py-12 text-center">
        <Construction aria-hidden className="size-12 text-soft" />
        <h1 tabIndex={-1} className="text-2xl font-extrabold tracking-tight sm:text-3xl">
          {title}
        </h1>
        <p className="text-soft">{what}</p>
        <ButtonLink to="/home" look="secondary">
          Back to the dashboard
        </ButtonLink>
      </div>
    </Screen>
  );
}
