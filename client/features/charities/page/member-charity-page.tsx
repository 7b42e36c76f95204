import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Screen } from '../../../platform/ui/layout/screen.tsx';
import { DonateLink } from '../donate-link.tsx';
import { CharityPart, useCharityPage } from './charity-part.tsx';

/** A charity's page within the members' navigation. */
export default function MemberCharityPage({ id }: { id: string }) {
  const page = useCharityPage(id);
  return (
    <Screen
      title={page.title}
      className="mx-auto flex w-full max-w-2xl flex-col gap-4 px-4 pb-4 sm:px-6"
    >
      <Link
        to="/community"
        className="inline-flex min-h-11 items-center gap-1.5 self-start font-bold text-accent underline-offset-4 hover:underline"
      >
        <ArrowLeft aria-hidden className="size-5 shrink-0" />
        All charities
      </Link>
      <CharityPart
        page={page}
        donate={
          page.charity && (
            <div className="flex">
              <DonateLink charity={page.charity} hasHost />
            </div>
          )
        }
      />
    </Screen>
  );
}
