#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: nats.pl publish | receive MILLISECONDS
#
# Client of a nats-server with JetStream at 127.0.0.1:4222, in the text
# protocol.
#
# "publish" creates the stream EVENTS and publishes each line of standard input.
# The broker acknowledges each line; at most 64 are unacknowledged, and while 64
# are, no input is read. If the broker exits, the client waits for the next one
# and sends unacknowledged lines again; numbers in a header let the broker
# discard duplicates. Prints "N published, N connections" at the end.
#
# "receive" prints the lines of the stream, waits MILLISECONDS after each, and
# acknowledges it.
use strict;
use warnings;
use Socket;

my $window = 64;
my ($socket, $buffer, $connections) = (undef, '', 0);

sub lost_connection
{
	close $socket if $socket;
	($socket, $buffer) = (undef, '');
	return;
}

sub send_text
{
	my ($text) = @_;
	while (length $text) {
		my $size = syswrite $socket, $text;
		return lost_connection() if !$size;
		substr $text, 0, $size, '';
	}
	return 1;
}

# Reads until the buffer has the wanted size, or contains a full line.
sub fill
{
	my ($wanted) = @_;
	while (defined $wanted ? length $buffer < $wanted : $buffer !~ /\r\n/) {
		return lost_connection() if !sysread $socket, $buffer, 65536, length $buffer;
	}
	return 1;
}

# Returns the next message: subject, reply subject, text, header; nothing if the
# connection is lost.
sub receive
{
	while (fill()) {
		$buffer =~ s/^(.*?)\r\n//;
		my @words = split ' ', $1;
		my $operation = shift @words // '';
		send_text("PONG\r\n") || return if $operation eq 'PING';
		die "nats.pl: error of the broker: @words\n" if $operation eq '-ERR';
		next if $operation !~ /^H?MSG$/;
		my $size = pop @words;
		my $header = $operation eq 'HMSG' ? pop @words : 0;
		fill($size + 2) || return;
		my $text = substr $buffer, 0, $size, '';
		substr $buffer, 0, 2, '';
		return ($words[0], $words[2], substr($text, $header), substr $text, 0, $header);
	}
	return;
}

sub request
{
	my ($subject, $payload) = @_;
	send_text("PUB $subject inbox.request " . length($payload) . "\r\n$payload\r\n") || return;
	while (my ($to, undef, $text) = receive()) {
		return $text if $to eq 'inbox.request';
	}
	return;
}

# Retries until a broker answers the request.
sub connect_to
{
	my ($subject, $payload) = @_;
	while (1) {
		socket $socket, PF_INET, SOCK_STREAM, 0 or die "nats.pl: $!\n";
		if (connect $socket, sockaddr_in(4222, INADDR_LOOPBACK)) {
			my $hello = "CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB inbox.> 1\r\n";
			my $answer = send_text($hello) && request($subject, $payload);
			if ($answer && $answer !~ /"error"/) {
				print STDERR "nats.pl: connected\n";
				return ++$connections;
			}
		}
		lost_connection();
		select undef, undef, undef, 0.1;
	}
	return;
}

sub publish
{
	my ($number, $end, @waiting) = (0, 0);
	my $connect = sub {
		connect_to('$JS.API.STREAM.CREATE.EVENTS', '{"name":"EVENTS","subjects":["events"],"storage":"file",'
				. '"duplicate_window":600000000000}');
		send_line($_) || last for @waiting;
	};
	$connect->();
	while (!$end || @waiting) {
		while (!$end && @waiting < $window) {
			my $line = <STDIN>;
			$end = 1, last if !defined $line;
			chomp $line;
			push @waiting, [++$number, $line];
			send_line($waiting[-1]) if $socket;
		}
		# Acknowledgements arrive in order.
		my ($to) = $socket ? receive() : ();
		if (!$to) {
			$connect->();
		} elsif (@waiting && $to eq "inbox.line.$waiting[0][0]") {
			shift @waiting;
		}
	}
	print "$number published, $connections connections\n";
	return;
}

sub send_line
{
	my ($number, $line) = @{ $_[0] };
	my $header = "NATS/1.0\r\nNats-Msg-Id: $number\r\n\r\n";
	return send_text("HPUB events inbox.line.$number " . length($header) . ' ' . (length($header) + length $line)
			. "\r\n$header$line\r\n");
}

sub receive_all
{
	my ($milliseconds) = @_;
	connect_to('$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.reader', '{"stream_name":"EVENTS","config":'
			. '{"durable_name":"reader","ack_policy":"explicit","deliver_policy":"all"}}');
	while (1) {
		my $next = '{"batch":1,"no_wait":true}';
		send_text('PUB $JS.API.CONSUMER.MSG.NEXT.EVENTS.reader inbox.next ' . length($next) . "\r\n$next\r\n")
			|| die "nats.pl: connection lost\n";
		my ($to, $answer, $text, $header) = receive() or die "nats.pl: connection lost\n";
		last if ($header // '') =~ /^NATS\/1.0 404/;
		select undef, undef, undef, $milliseconds / 1000;
		print "$text\n";
		send_text("PUB $answer 4\r\n+ACK\r\n") || die "nats.pl: connection lost\n";
	}
	return;
}

$SIG{PIPE} = 'IGNORE';
$| = 1;
my ($what, @arguments) = @ARGV;
if (($what // '') eq 'publish') {
	publish();
} elsif (($what // '') eq 'receive') {
	receive_all(@arguments);
} else {
	die "usage: nats.pl publish | receive MILLISECONDS\n";
}
