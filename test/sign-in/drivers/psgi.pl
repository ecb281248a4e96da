# Calls the application of the block as a PSGI server does.
use strict;
use warnings;
use Encode qw(decode);

my $app = do './clip_session.psgi' or die $@ || $!;
for my $user (@ARGV) {
    my $session = length $user ? { user_id => decode('UTF-8', $user) } : {};
    my ($status, $headers, $body) = @{ $app->({ 'psgix.session' => $session }) };
    my %headers = @$headers;
    print "$status [$headers{'Cache-Control'}] @$body\n";
}
