/* SPDX-License-Identifier: MIT */
#ifndef PLUGIN_EVENTHEADER_H
#define PLUGIN_EVENTHEADER_H

#include <userevents/eventheader.h>

UEV_PROVIDER_DECLARE(plugin_provider);

UEV_BEGIN_DECLS

void more_work(int number);

UEV_END_DECLS

#endif
