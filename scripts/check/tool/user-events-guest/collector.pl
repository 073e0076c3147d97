#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: collector.pl FILE
#
# A collector of OTLP at 127.0.0.1:4318. While the file FILE.busy exists, it
# answers with the status 503. It appends each message that it accepts to FILE,
# one a line, but a compressed one to FILE.gz. It writes the headers of the last
# message to FILE.headers.
use strict;
use warnings;
use Socket;

my ($path) = @ARGV;
socket my $server, PF_INET, SOCK_STREAM, 0 or die "socket: $!\n";
setsockopt $server, SOL_SOCKET, SO_REUSEADDR, 1;
bind $server, pack_sockaddr_in(4318, INADDR_LOOPBACK) or die "bind: $!\n";
listen $server, 5;
open my $messages, '>', $path or die "$path: $!\n";
$messages->autoflush;

sub write_file
{
	my ($name, $content) = @_;
	open my $file, '>', $name or die "$name: $!\n";
	print $file $content;
	close $file or die "$name: $!\n";
}

# Reads a message. Returns its body, or nothing at the end of the connection.
sub message
{
	my ($client) = @_;
	my ($size, $body, $headers) = (0, '', '');
	while (my $line = <$client>) {
		$headers .= $line;
		$size = $1 if $line =~ /^Content-Length: (\d+)/i;
		last if $line eq "\r\n";
	}
	return if !$size || read($client, $body, $size) != $size;
	write_file("$path.headers", $headers);
	return $body if $headers !~ /^Content-Encoding: gzip\r$/im;
	write_file("$path.gz", $body);
	return '';
}

while (accept my $client, $server) {
	$client->autoflush;
	while (defined(my $body = message($client))) {
		my $is_busy = -e "$path.busy";
		print $messages "$body\n" if !$is_busy;
		my $status = $is_busy ? '503 Busy' : '200 OK';
		print $client "HTTP/1.1 $status\r\nContent-Length: 2\r\n\r\n{}";
	}
	close $client;
}
