import { ArrowLeft } from 'lucide-react';
import { Navigate, useNavigate } from 'react-router-dom';
import { useUser } from '../../platform/session/use-auth.tsx';
import { IconLink } from '../../platform/ui/buttons/icon-link.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { UserProfile } from './user-profile.tsx';

/** Another user's profile as a screen. */
export default function PersonPage({ userId }: { userId: string }) {
  const navigate = useNavigate();
  if (userId === useUser()?.id) return <Navigate to="/you" replace />;
  return (
    <Screen title="Profile" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <div className="flex items-center gap-1">
        <IconLink Icon={ArrowLeft} label="Back" to="/social" />
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
          Profile
        </h1>
      </div>
      <div className="max-w-2xl rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5">
        <UserProfile
          key={userId}
          userId={userId}
          isPage
          onBlocked={() => void navigate('/social', { replace: true })}
        />
      </div>
    </Screen>
  );
}
